import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { type ProgressAnswer, progressAnswer } from "@/lib/progress/answers";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.union([progressAnswer, z.object({ version: z.string() })]).nullable();

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
  const answer = answerSchema.parse(unwrap(result));
  if (!answer) throw new AppError("not-found", "There is no such campaign.");
  return "progress" in answer ? answer : null;
}
