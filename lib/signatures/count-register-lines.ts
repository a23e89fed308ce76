import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import type { RegisterFilter } from "@/lib/signatures/register-filter";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.object({ lines: z.int(), accepted: z.int(), rejected: z.int() });
export type RegisterCounts = z.infer<typeof answerSchema>;

/** How many of a team's lines a filter lets through, and what came of them. Guard `signatures.view` first. */
export async function countRegisterLines({
  team,
  campaign,
  filter,
}: CampaignOfTeam & { filter: RegisterFilter }): Promise<RegisterCounts> {
  const given = { p_team_id: team, p_campaign_id: campaign, p_filter: filter };
  const result = await createAdminClient().rpc("register_counts", given);
  return answerSchema.parse(unwrap(result));
}
