import "server-only";
import { byVoterId, type CampaignOfTeam } from "@/lib/ids";
import { type SignedAt, signedAtSchema } from "@/lib/signatures/line-outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Which of the voters have a live line in the campaign. A line of another team shows as `{ ownTeam: false }` alone.
 * Guard `signatures.view` or `signatures.enter` first.
 */
export async function findSigned({
  team,
  campaign,
  voterIds,
}: CampaignOfTeam & { voterIds: string[] }): Promise<Map<string, SignedAt>> {
  const given = { p_team_id: team, p_campaign_id: campaign, p_voter_ids: voterIds };
  const result = await createAdminClient().rpc("signed_already", given);
  return byVoterId(signedAtSchema).parse(unwrap(result));
}
