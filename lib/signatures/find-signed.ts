import "server-only";
import { z } from "zod";
import { type SignedAt, signedAtSchema } from "@/lib/signatures/line-outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

// zod's own objects and records leave the key `__proto__` out.
const objectSchema = z.custom<object>((value) => typeof value === "object" && value !== null);

/**
 * Which of the voters have a live line in the campaign, as pairs: a voter id can be `__proto__`. A line of another team
 * shows as `{ ownTeam: false }` alone. Guard `signatures.view` or `signatures.enter` first.
 */
export async function findSigned({
  teamId,
  campaignId,
  voterIds,
}: {
  teamId: string;
  campaignId: string;
  voterIds: string[];
}): Promise<[voterId: string, at: SignedAt][]> {
  const given = { p_team_id: teamId, p_campaign_id: campaignId, p_voter_ids: voterIds };
  const result = await createAdminClient().rpc("signed_already", given).abortSignal(AbortSignal.timeout(5_000));
  const found = objectSchema.parse(unwrap(result));
  return Object.entries(found).map(([voterId, at]) => [voterId, signedAtSchema.parse(at)]);
}
