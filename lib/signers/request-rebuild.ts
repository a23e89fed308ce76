import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import type { RebuildCounts } from "@/supabase/functions/_shared/rebuild-signers";

const timeout = 120_000; // ms; a million signers take less

const countsSchema = z.object({ campaignId: z.string(), read: z.number(), added: z.number(), dropped: z.number() });
const answerSchema = z.object({ campaigns: z.array(countsSchema) });

/**
 * Builds a campaign's set of signers anew from its lines, while entry goes on. Guard first. Throws AppError `unavailable`
 * when that was not done in time: then the old set is as it was, or the schedule builds it.
 */
export async function requestRebuild(campaignId: string): Promise<RebuildCounts> {
  const { data, error } = await createAdminClient().functions.invoke("sync-signers", { body: { campaignId }, timeout });
  if (error) {
    throw new AppError("unavailable", "The duplicate check could not be rebuilt now. Try again in a minute.", {
      cause: error,
    });
  }
  const counts = answerSchema.parse(data).campaigns.find((campaign) => campaign.campaignId === campaignId);
  if (!counts) throw new Error(`sync-signers told nothing of ${campaignId}.`);
  return counts;
}
