import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { missingCampaign } from "@/lib/permissions/messages";
import { campaignProgressSchema, type ProgressResponse, progressResponseSchema } from "@/lib/progress/responses";
import { callSql } from "@/lib/supabase/call-sql";

const timeoutMs = 10_000;
const currentProgressSchema = z.union([progressResponseSchema, z.object({ version: z.string() })]).nullable();

/**
 * Counts a campaign's progress; with `work` also lists the team's own work on it. Null when the version is still the
 * `known` one. Guard `campaign.view` first, and `signatures.view` for the work.
 */
export async function readCampaignProgress(query: CampaignOfTeam & { includeWork: boolean }): Promise<ProgressResponse>;
export async function readCampaignProgress(
  query: CampaignOfTeam & { includeWork: boolean; known: string | null },
): Promise<ProgressResponse | null>;
export async function readCampaignProgress({
  team,
  campaign,
  includeWork,
  known = null,
}: CampaignOfTeam & { includeWork: boolean; known?: string | null }): Promise<ProgressResponse | null> {
  const args = { p_team_id: team, p_campaign_id: campaign, p_with_work: includeWork, p_known: known };
  const read = await callSql("campaign_progress", args, currentProgressSchema, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!read) throw new AppError(...missingCampaign);
  return "progress" in read ? read : null;
}

const rowSchema = z.object({
  campaignId: z.string(),
  progress: campaignProgressSchema,
  /** The team's own sheets open for more than two days. */
  sheetsOpenForDays: z.int(),
  /** The team's own accepted lines signed outside the campaign's days. */
  outsideDates: z.int(),
});
export type TeamProgress = z.infer<typeof rowSchema>;

/**
 * The progress of a team's campaigns, by campaign id. Guard each with `campaign.view` first; show the team's own counts
 * only with `signatures.view`.
 */
export async function listTeamProgress(team: string, campaigns: string[]): Promise<Map<string, TeamProgress>> {
  const args = { p_team_id: team, p_campaign_ids: campaigns };
  const rows = await callSql("team_progress", args, z.array(rowSchema), { signal: AbortSignal.timeout(timeoutMs) });
  return new Map(rows.map((row) => [row.campaignId, row]));
}

const digestSchema = z
  .object({
    teamId: z.string(),
    locale: z.string(),
    timeZone: z.string(),
    campaigns: z.array(z.object({ id: z.string(), seesLines: z.boolean() })),
  })
  .nullable();

/** What a daily email is about while it is being sent; null otherwise. */
export async function readClaimedDigest(id: string): Promise<z.infer<typeof digestSchema>> {
  return callSql("claimed_digest", { p_id: id }, digestSchema);
}

const goalCountSchema = z.object({ accepted: z.int(), goal: z.int().nullable() });

/** A campaign's accepted signatures and goal. Guard `campaign.view` first. */
export async function readGoalCount(campaign: string): Promise<z.infer<typeof goalCountSchema>> {
  return callSql("goal_count", { p_campaign_id: campaign }, goalCountSchema);
}
