import "server-only";
import { cookies } from "next/headers";
import { createSessionClient } from "@/lib/supabase/server";

const sessionCookie = /^sb-.+-auth-token(\.\d+)?$/;

/** Ends the session of this browser. Other browsers stay signed in. */
export async function signOut(): Promise<void> {
  const supabase = await createSessionClient();
  const { error } = await supabase.auth.signOut({ scope: "local" });
  if (!error) return;
  // Auth is away: supabase-js keeps the cookies then, and the next person at this computer would be signed in.
  console.error("The session could not be ended at Auth.", error);
  const store = await cookies();
  for (const { name } of store.getAll()) if (sessionCookie.test(name)) store.delete(name);
}
