import "server-only";
import { createSessionClient } from "@/lib/supabase/server";

/** Turns the code of an e-mailed link into a session with its cookies; false when it is spent, expired or not ours. */
export async function exchangeCode(code: string): Promise<boolean> {
  const supabase = await createSessionClient();
  const { error } = await supabase.auth.exchangeCodeForSession(code);
  if (error && (!error.status || error.status >= 500)) console.error("A sign-in link could not be checked.", error);
  return error === null;
}
