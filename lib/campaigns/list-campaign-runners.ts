import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const rowsSchema = z.array(z.object({ id: z.string(), team_id: z.string() }));

/** The campaigns that teams run, each with its team. For teams that the reader manages; name none of it to anyone else. */
export async function listCampaignRunners(teamIds: string[]): Promise<Map<string, string>> {
  const rows = rowsSchema.parse(
    unwrap(await createAdminClient().from("campaigns").select("id, team_id").in("team_id", teamIds)),
  );
  return new Map(rows.map(({ id, team_id }) => [id, team_id]));
}
