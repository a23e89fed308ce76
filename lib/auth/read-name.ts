import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

/** The name by which others know the person of the session. */
export async function readName({ userId }: Session): Promise<string> {
  const supabase = await createSessionClient();
  return unwrap(await supabase.from("profiles").select("name").eq("user_id", userId).single()).name;
}
