import "server-only";
import { cache } from "react";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { createSessionClient } from "@/lib/supabase/server";
import { verifiedClaims } from "@/lib/supabase/verified-claims";
import { isOverloaded, within } from "@/lib/supabase/within";

const patience = 3_000; // ms for Auth
const claimsSchema = z.object({
  sub: z.uuid(),
  email: z.string().default(""),
  session_id: z.uuid(),
  aal: z.string().default("aal1"),
  app_metadata: z.object({ second_factor: z.boolean().default(false) }).default({ second_factor: false }),
});

/** A verified user with the access token that proved it, and the id of the session that Auth gave it to. */
export type Session = { userId: string; email: string; sessionId: string; accessToken: string };

/**
 * The session of the request's cookies, or null when nobody is signed in; half a sign-in, which still lacks the second
 * factor, is nobody. The token's signature is verified: locally where Auth signs with an asymmetric key, else by asking
 * Auth. Throws AppError `unavailable` when Auth cannot be asked: that is never "nobody".
 */
export async function getSession(): Promise<Session | null> {
  const signIn = await getSignIn();
  return signIn && !signIn.isHalf ? signIn.session : null;
}

/**
 * The same for what must not outlive the session: changes, exports and lines that are stored. Auth was asked just now, and
 * null is also a session that it knows no more, or never knew. Throws AppError `unavailable` when it cannot tell.
 */
export async function getLiveSession(): Promise<Session | null> {
  const session = await getSession();
  if (!session) return null;
  const supabase = await createSessionClient();
  try {
    const { error } = await within(patience, supabase.auth.getUser(session.accessToken));
    if (error && isOverloaded(error.status)) throw error;
    return error ? null : session;
  } catch (cause) {
    throw notChecked(cause);
  }
}

/** What of a sign-in there is: whether its account has a second factor, and whether that was not shown yet. */
export const getSignIn = cache(async (): Promise<SignIn | null> => {
  const supabase = await createSessionClient();
  try {
    return await within(patience, readSignIn(supabase));
  } catch (cause) {
    throw notChecked(cause);
  }
});

const notChecked = (cause: unknown) =>
  new AppError("unavailable", "Couldn't check your sign-in. Try again in a moment.", { cause, retryAfter: 1 });

type SignIn = { session: Session; hasSecondFactor: boolean; isHalf: boolean };

async function readSignIn(supabase: Awaited<ReturnType<typeof createSessionClient>>): Promise<SignIn | null> {
  // Thrown for a cookie that holds something else than a session.
  const stored = await supabase.auth.getSession().catch(() => null);
  if (stored?.error && isOverloaded(stored.error.status)) throw stored.error;
  const accessToken = stored?.data.session?.access_token;
  if (!accessToken) return null;
  const claims = claimsSchema.safeParse(await verifiedClaims(supabase, accessToken));
  if (!claims.success) return null;
  const { sub: userId, email, session_id: sessionId, aal, app_metadata } = claims.data;
  const hasSecondFactor = app_metadata.second_factor;
  return {
    session: { userId, email, sessionId, accessToken },
    hasSecondFactor,
    isHalf: hasSecondFactor && aal !== "aal2",
  };
}
