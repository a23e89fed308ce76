import "server-only";
import { createSessionClient } from "@/lib/supabase/server";

/** Turns the code of an e-mailed link into a session with its cookies; else says whether the link or Auth failed. */
export async function exchangeCode(code: string): Promise<"signed-in" | "link" | "away"> {
  const supabase = await createSessionClient();
  const { error } = await supabase.auth.exchangeCodeForSession(code);
  if (!error) return "signed-in";
  if (error.status && error.status < 500) return "link";
  console.error("A sign-in link could not be checked.", error);
  return "away";
}
