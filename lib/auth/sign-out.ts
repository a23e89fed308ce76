import "server-only";
import { cookies } from "next/headers";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { currentRequest } from "@/lib/request-id";
import { authPatience, createAuthClient } from "@/lib/supabase/server";
import { within } from "@/lib/supabase/within";

const sessionCookie = /^sb-.+-auth-token(\.\d+)?$/;
const searchCookie = /^searchsvc_token_/;

/**
 * Ends the session of this browser and has it forget the pages that it cached; with `everywhere` ends the sessions of all
 * others too: none of them is renewed. Throws AppError `unavailable` when the others could not be ended.
 */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  currentRequest.getStore()?.response.setHeader("Clear-Site-Data", '"cache"'); // Back shows no page of this session
  const store = await cookies();
  const drop = (which: RegExp) => {
    for (const { name } of store.getAll()) if (which.test(name)) store.delete(name);
  };
  drop(searchCookie); // the next person at this computer logs in to the search too
  const auth = await createAuthClient();
  // As a whole: a session that has expired is refreshed first, and that is tried again and again.
  const ended = within(authPatience, auth.signOut({ scope: everywhere ? "global" : "local" }));
  const { error } = await ended.catch((error: unknown) => ({ error }));
  if (!error) return;
  if (everywhere) {
    const message = "Couldn't end your sessions. You're still signed in: try again in a moment.";
    throw new AppError("unavailable", message, { cause: error });
  }
  // Auth is away: supabase-js keeps the cookies then, and the next person at this computer would be signed in.
  logFailure("The session could not be ended at Auth.", error);
  drop(sessionCookie);
}
