import "server-only";
import { z } from "zod";
import { campaignProgressSchema } from "@/lib/progress/answers";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const rowSchema = z.object({
  campaignId: z.string(),
  progress: campaignProgressSchema,
  /** The team's own sheets that have been open for more than two days. */
  sheetsOpenForDays: z.int(),
  /** The team's own accepted lines that were signed outside the campaign's days. */
  outsideDates: z.int(),
});
export type TeamProgress = z.infer<typeof rowSchema>;

/**
 * How far campaigns of a team are, by campaign id; one that the team does not have is left out. Guard each with
 * `campaign.view` first; what is the team's own is for those who hold `signatures.view`.
 */
export async function listTeamProgress(team: string, campaigns: string[]): Promise<Map<string, TeamProgress>> {
  const given = { p_team_id: team, p_campaign_ids: campaigns };
  const result = await createAdminClient().rpc("team_progress", given).abortSignal(AbortSignal.timeout(10_000));
  return new Map(
    z
      .array(rowSchema)
      .parse(unwrap(result))
      .map((row) => [row.campaignId, row]),
  );
}
