import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.object({ accepted: z.int(), goal: z.int().nullable() });

/** How many signatures of a campaign are accepted, and its goal, in one call. Guard with `campaign.view` first. */
export async function readGoalCount(campaign: string): Promise<z.infer<typeof answerSchema>> {
  const given = { p_campaign_id: campaign };
  const result = await createAdminClient().rpc("goal_count", given);
  return answerSchema.parse(unwrap(result));
}
