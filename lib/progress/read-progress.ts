import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { campaignProgressSchema, type ProgressAnswer, progressAnswer } from "@/lib/progress/answers";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const currentProgressSchema = z.union([progressAnswer, z.object({ version: z.string() })]).nullable();

/**
 * Counts how far a campaign is, in one statement; with `work` also the lists of the team's own work on it. Null when the
 * version is still the one that is `known`. Guard `campaign.view` first, and `signatures.view` for the work.
 */
export async function readCampaignProgress(asked: CampaignOfTeam & { work: boolean }): Promise<ProgressAnswer>;
export async function readCampaignProgress(
  asked: CampaignOfTeam & { work: boolean; known: string | null },
): Promise<ProgressAnswer | null>;
export async function readCampaignProgress({
  team,
  campaign,
  work,
  known = null,
}: CampaignOfTeam & { work: boolean; known?: string | null }): Promise<ProgressAnswer | null> {
  const given = { p_team_id: team, p_campaign_id: campaign, p_with_work: work, p_known: known };
  const result = await createAdminClient().rpc("campaign_progress", given).abortSignal(AbortSignal.timeout(10_000));
  const answer = currentProgressSchema.parse(unwrap(result));
  if (!answer) throw new AppError("not-found", "There is no such campaign.");
  return "progress" in answer ? answer : null;
}

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

const goalCountSchema = z.object({ accepted: z.int(), goal: z.int().nullable() });

/** How many signatures of a campaign are accepted, and its goal, in one call. Guard with `campaign.view` first. */
export async function readGoalCount(campaign: string): Promise<z.infer<typeof goalCountSchema>> {
  const given = { p_campaign_id: campaign };
  const result = await createAdminClient().rpc("goal_count", given);
  return goalCountSchema.parse(unwrap(result));
}
