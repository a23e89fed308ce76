import "server-only";
import type { SupabaseClient } from "@supabase/supabase-js";
import { cache } from "react";
import { z } from "zod";
import { authMessages } from "@/lib/auth/messages";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { createSessionClient } from "@/lib/supabase/server";
import { isAuthUnavailable, withTimeout } from "@/lib/supabase/with-timeout";

const authTimeoutMs = 3_000;
const claimsSchema = z.object({
  sub: z.uuid(),
  email: z.string().default(""),
  session_id: z.uuid(),
  aal: z.string().default("aal1"),
  app_metadata: z.object({ second_factor: z.boolean().default(false) }).default({ second_factor: false }),
});

/** A verified user with the access token that proved it, the id of its Auth session, and whether a code was entered. */
export type Session = {
  userId: string;
  email: string;
  sessionId: string;
  accessToken: string;
  hasEnteredCode?: boolean;
};

/**
 * The session of the request's cookies; null if no one is signed in, or if their code is still missing. The token's
 * signature is verified: locally if Auth signs with an asymmetric key, otherwise by asking Auth. Throws AppError
 * `unavailable` if Auth can't be asked; that never means "no one".
 */
export async function getSession(): Promise<Session | null> {
  const signIn = await getSignIn();
  return signIn && !signIn.needsCode ? signIn.session : null;
}

/**
 * The session, if Auth confirms that it still exists, otherwise null. For what must not outlive it: changes, exports and stored
 * lines. Throws AppError `unavailable` if Auth can't be asked.
 */
export async function getLiveSession(): Promise<Session | null> {
  const session = await getSession();
  if (!session) return null;
  const supabase = await createSessionClient();
  try {
    const { error } = await withTimeout(authTimeoutMs, supabase.auth.getUser(session.accessToken));
    if (error && isAuthUnavailable(error.status)) throw error;
    return error ? null : session;
  } catch (cause) {
    throw authUnavailable(cause);
  }
}

/** The sign-in, even if its code is still missing, or null. Throws AppError `unavailable` if Auth can't be asked. */
export const getSignIn = cache(async (): Promise<SignIn | null> => {
  const supabase = await createSessionClient();
  try {
    return await withTimeout(authTimeoutMs, readSignIn(supabase));
  } catch (cause) {
    throw authUnavailable(cause);
  }
});

const authUnavailable = (cause: unknown) =>
  new AppError("unavailable", authMessages.notChecked, { cause, retryAfterSeconds: 1 });

type SignIn = { session: Session; accountHasSecondFactor: boolean; needsCode: boolean };

async function readSignIn(supabase: Awaited<ReturnType<typeof createSessionClient>>): Promise<SignIn | null> {
  // It throws for a cookie that is not a session.
  const stored = await supabase.auth.getSession().catch(() => null);
  if (stored?.error && isAuthUnavailable(stored.error.status)) throw stored.error;
  const accessToken = stored?.data.session?.access_token;
  if (!accessToken) return null;
  const claims = claimsSchema.safeParse(await verifiedClaims(supabase, accessToken));
  if (!claims.success) return null;
  const { sub: userId, email, session_id: sessionId, aal, app_metadata } = claims.data;
  const accountHasSecondFactor = app_metadata.second_factor;
  return {
    session: { userId, email, sessionId, accessToken, hasEnteredCode: accountHasSecondFactor && aal === "aal2" },
    accountHasSecondFactor,
    needsCode: accountHasSecondFactor && aal !== "aal2",
  };
}

const checks = processWide("verified-claims", () => new Map<string, Promise<unknown>>());

/**
 * The claims of a valid access token, or null. Throws when Auth can't be asked. Simultaneous requests with one token share
 * a single check, so that one person can't keep Auth busy.
 */
export function verifiedClaims(supabase: SupabaseClient, accessToken: string): Promise<unknown> {
  const pendingCheck = checks.get(accessToken);
  if (pendingCheck !== undefined) return pendingCheck;
  const check = verify(supabase, accessToken).finally(() => checks.delete(accessToken));
  checks.set(accessToken, check);
  return check;
}

async function verify(supabase: SupabaseClient, accessToken: string): Promise<unknown> {
  const result = await supabase.auth.getClaims(accessToken).catch(() => null); // it throws for an unknown `alg`
  if (result === null) return null;
  const { data, error } = result;
  if (error && isAuthUnavailable(error.status)) throw error;
  return data?.claims ?? null;
}
