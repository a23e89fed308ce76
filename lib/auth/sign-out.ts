import "server-only";
import { cookies } from "next/headers";
import { authPatience, createAuthClient } from "@/lib/supabase/server";
import { within } from "@/lib/supabase/within";

const sessionCookie = /^sb-.+-auth-token(\.\d+)?$/;

/** Ends the session of this browser. Other browsers stay signed in. */
export async function signOut(): Promise<void> {
  const auth = await createAuthClient();
  // As a whole: a session that has expired is refreshed first, and that is tried again and again.
  const ended = within(authPatience, auth.signOut({ scope: "local" }));
  const { error } = await ended.catch((error: unknown) => ({ error }));
  if (!error) return;
  // Auth is away: supabase-js keeps the cookies then, and the next person at this computer would be signed in.
  console.error("The session could not be ended at Auth.", error);
  const store = await cookies();
  for (const { name } of store.getAll()) if (sessionCookie.test(name)) store.delete(name);
}
