import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/** Names of those who can change what members of a team may do. For members of the team only: guard first. */
export async function listGranters(teamId: string): Promise<string[]> {
  return z.array(z.string()).parse(unwrap(await createAdminClient().rpc("who_can_grant", { p_team_id: teamId })));
}
