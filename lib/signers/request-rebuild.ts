import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import type { RebuildCounts } from "@/supabase/functions/_shared/rebuild-signers";

const timeout = 30_000; // ms of one call, which begins nothing more after 20 s
const patience = 120_000; // ms; a million signers take less

const countsSchema = z.object({ campaignId: z.string(), read: z.number(), added: z.number(), dropped: z.number() });
const answerSchema = z.object({ campaigns: z.array(countsSchema), asked: z.number() });

/**
 * Builds a campaign's set of signers anew from its lines, call by call, while entry goes on. Guard first. Throws AppError
 * `unavailable` when that was not done in 2 minutes: the schedule goes on with it.
 */
export async function requestRebuild(campaignId: string): Promise<RebuildCounts> {
  const until = performance.now() + patience;
  let body: { campaignId: string; asked?: number } = { campaignId };
  let cause: unknown;
  while (performance.now() < until) {
    const { data, error } = await createAdminClient().functions.invoke("sync-signers", { body, timeout });
    if (error) {
      cause = error;
      break;
    }
    const { campaigns, asked } = answerSchema.parse(data);
    const counts = campaigns.find((campaign) => campaign.campaignId === campaignId);
    if (counts) return counts;
    body = { campaignId, asked };
  }
  throw new AppError("unavailable", "The duplicate check could not be rebuilt now. Try again in a minute.", { cause });
}
