import "server-only";
import { z } from "zod";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

const rowsSchema = z.array(z.object({ id: z.string(), team_id: z.string() }));

/** The campaigns that teams run, each with its team, read as the signed-in user: row-level security picks hers. */
export async function listCampaignRunners(teamIds: string[]): Promise<Map<string, string>> {
  const supabase = await createSessionClient();
  const rows = rowsSchema.parse(unwrap(await supabase.from("campaigns").select("id, team_id").in("team_id", teamIds)));
  return new Map(rows.map(({ id, team_id }) => [id, team_id]));
}
