import "server-only";
import { withSignerSet } from "@/lib/signers/with-signer-set";
import { signersKey } from "@/supabase/functions/_shared/signers";

/**
 * For each of the voters whether she is a member of the campaign's set of signers, in one round trip. A map, because a
 * voter id can be `__proto__`. Throws as `hasSigner` does.
 */
export async function hasSigners({
  campaignId,
  voterIds,
}: {
  campaignId: string;
  voterIds: string[];
}): Promise<Map<string, boolean>> {
  if (voterIds.length === 0) return new Map();
  const members = await withSignerSet(campaignId, (redis) => redis.smismember(signersKey(campaignId), voterIds));
  return new Map(voterIds.map((voterId, index) => [voterId, members[index] === 1]));
}
