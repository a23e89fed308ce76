import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { missingCampaign } from "@/lib/permissions/messages";
import { processWide } from "@/lib/process-wide";
import {
  type CampaignProgress,
  campaignProgressSchema,
  type ProgressResponse,
  progressResponseSchema,
} from "@/lib/progress/responses";
import { callSql } from "@/lib/supabase/call-sql";

const timeoutMs = 10_000;
const maxCached = 100;
// Bounds how long a change that the version doesn't cover, such as a clerk's new name, stays invisible.
const maxCachedMs = 60_000;

/** What this process counted last, by campaign, so that an unchanged campaign isn't counted again for each viewer. */
function countedLately<Value extends { version: string }>(name: string) {
  const cached = processWide(name, () => new Map<string, { value: Value; countedAt: number }>());
  return {
    find(key: string): Value | null {
      const last = cached.get(key);
      return last && Date.now() - last.countedAt < maxCachedMs ? last.value : null;
    },
    add(key: string, value: Value) {
      if (cached.size >= maxCached) cached.clear();
      cached.set(key, { value, countedAt: Date.now() });
    },
  };
}

const campaignProgress = countedLately<ProgressResponse>("campaign-progress");
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
  const key = JSON.stringify([team, campaign, includeWork]);
  const last = campaignProgress.find(key);
  const args = { p_team_id: team, p_campaign_id: campaign, p_with_work: includeWork, p_known: last?.version ?? known };
  const read = await callSql("campaign_progress", args, currentProgressSchema, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!read) throw new AppError(...missingCampaign);
  if (!("progress" in read)) return last?.version === known ? null : last;
  campaignProgress.add(key, read);
  return read;
}

const rowSchema = z.object({
  campaignId: z.string(),
  version: z.string(),
  /** Null if the version is still the known one. */
  progress: campaignProgressSchema.nullable(),
  /** The team's own sheets opened before yesterday and still open. */
  sheetsOpenForDays: z.int(),
  /** The team's own accepted lines signed outside the campaign's days. */
  outsideDates: z.int(),
});
export type TeamProgress = Omit<z.infer<typeof rowSchema>, "version"> & { progress: CampaignProgress };

const teamProgress = countedLately<{ version: string; progress: CampaignProgress }>("team-progress");

/**
 * The progress of a team's campaigns, by campaign id. Guard each with `campaign.view` first; show the team's own counts
 * only with `signatures.view`.
 */
export async function listTeamProgress(team: string, campaigns: string[]): Promise<Map<string, TeamProgress>> {
  const keyOf = (campaign: string) => JSON.stringify([team, campaign]);
  const last = new Map(campaigns.map((campaign) => [campaign, teamProgress.find(keyOf(campaign))]));
  const known = Object.fromEntries(campaigns.map((campaign) => [campaign, last.get(campaign)?.version ?? null]));
  const args = { p_team_id: team, p_campaign_ids: campaigns, p_known: known };
  const rows = await callSql("team_progress", args, z.array(rowSchema), { signal: AbortSignal.timeout(timeoutMs) });
  const read = new Map<string, TeamProgress>();
  for (const { version, progress, ...row } of rows) {
    if (progress) teamProgress.add(keyOf(row.campaignId), { version, progress });
    const current = progress ?? last.get(row.campaignId)?.progress;
    if (current) read.set(row.campaignId, { ...row, progress: current });
  }
  return read;
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
