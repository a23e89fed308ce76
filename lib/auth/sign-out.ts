import "server-only";
import { cookies } from "next/headers";
import { getSignIn } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { tryRefreshPermissions } from "@/lib/permissions/refresh-permissions";
import { authPatience, createAuthClient } from "@/lib/supabase/server";
import { within } from "@/lib/supabase/within";

const sessionCookie = /^sb-.+-auth-token(\.\d+)?$/;

/**
 * Ends the session of this browser, and with `everywhere` those of all others too: none of them is renewed, Auth knows them
 * no more, and what was cached for them is not read again. Throws AppError `unavailable` when the others could not be ended.
 */
export async function signOut({ everywhere = false } = {}): Promise<void> {
  const auth = await createAuthClient();
  let userId: string | undefined;
  const end = async () => {
    userId = (await getSignIn().catch(() => null))?.session.userId; // asked first: the session is nobody's then
    return auth.signOut({ scope: everywhere ? "global" : "local" });
  };
  // As a whole: a session that has expired is refreshed first, and that is tried again and again.
  const { error } = await within(authPatience, end()).catch((error: unknown) => ({ error }));
  if (!error) {
    if (userId) await tryRefreshPermissions(userId);
    return;
  }
  if (everywhere) {
    const message = "Your sessions could not be ended right now, and you are still signed in. Try again in a moment.";
    throw new AppError("unavailable", message, { cause: error });
  }
  // Auth is away: supabase-js keeps the cookies then, and the next person at this computer would be signed in.
  logFailure("The session could not be ended at Auth.", error);
  const store = await cookies();
  for (const { name } of store.getAll()) if (sessionCookie.test(name)) store.delete(name);
}
