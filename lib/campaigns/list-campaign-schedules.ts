import "server-only";
import { z } from "zod";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

const rowsSchema = z.array(
  z.object({
    campaigns: z.object({
      id: z.string(),
      signature_goal: z.number().int().nullable(),
      starts_on: z.iso.date().nullable(),
      ends_on: z.iso.date().nullable(),
    }),
  }),
);

/** Goal (signatures) and days (YYYY-MM-DD) of a campaign; null where none is set. */
export type CampaignSchedule = { signatureGoal: number | null; startsOn: string | null; endsOn: string | null };

/** Schedules of a team's campaigns by campaign id, read as the signed-in user: row-level security picks hers. */
export async function listCampaignSchedules(teamId: string): Promise<Map<string, CampaignSchedule>> {
  const supabase = await createSessionClient();
  const result = await supabase
    .from("campaign_team")
    .select("campaigns!inner(id, signature_goal, starts_on, ends_on)")
    .eq("team_id", teamId);
  const rows = rowsSchema.parse(unwrap(result));
  return new Map(
    rows.map(({ campaigns: row }) => [
      row.id,
      { signatureGoal: row.signature_goal, startsOn: row.starts_on, endsOn: row.ends_on },
    ]),
  );
}
