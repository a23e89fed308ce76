import "server-only";
import { cookies } from "next/headers";
import { authMessages } from "@/lib/auth/messages";
import { AppError } from "@/lib/errors";
import { currentRequest, logFailure } from "@/lib/log-event";
import { authTimeoutMs, createAuthClient } from "@/lib/supabase/server";
import { withTimeout } from "@/lib/supabase/with-timeout";

const sessionCookie = /^sb-.+-auth-token(\.\d+)?$/;
const searchCookie = /^searchsvc_token_/;

/**
 * Ends the session of this browser and clears its cached pages; with `everywhere` ends all sessions of the person. Throws
 * AppError `unavailable` when those could not be ended.
 */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  currentRequest.getStore()?.response.setHeader("Clear-Site-Data", '"cache"'); // so that Back shows no page of this session
  const store = await cookies();
  const drop = (which: RegExp) => {
    for (const { name } of store.getAll()) if (which.test(name)) store.delete(name);
  };
  drop(searchCookie); // so that the next person at this computer signs in to the search too
  const auth = await createAuthClient();
  // A timeout for everything, because an expired session is refreshed first, with many retries.
  const ended = withTimeout(authTimeoutMs, auth.signOut({ scope: everywhere ? "global" : "local" }));
  const { error } = await ended.catch((error: unknown) => ({ error }));
  if (!error) return;
  if (everywhere) {
    throw new AppError("unavailable", authMessages.sessionsNotEnded, { cause: error });
  }
  // If Auth is unreachable, supabase-js keeps the cookies: the next person at this computer would be signed in.
  logFailure("The session could not be ended at Auth.", error);
  drop(sessionCookie);
}
