import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/** The name by which others know the person of the session. */
export async function readName({ userId }: Session): Promise<string> {
  return unwrap(await createAdminClient().from("profiles").select("name").eq("user_id", userId).single()).name;
}
