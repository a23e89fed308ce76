import "server-only";
import { withSignerSet } from "@/lib/signers/signers";
import { signersKey } from "@/supabase/functions/_shared/signers";

/**
 * Whether each of the voters is in the campaign's set of signers, in one round trip. Throws the errors of `hasSigner`. Returns
 * a map, because a voter id can be `__proto__`.
 */
export async function checkSigners({
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

/**
 * Whether the voter is in the campaign's set of signers (contract 4.4). Throws AppError `unavailable` if Redis can't be
 * reached, or if the key has another type; the set is then rebuilt.
 */
export async function hasSigner({ campaignId, voterId }: { campaignId: string; voterId: string }): Promise<boolean> {
  return (await withSignerSet(campaignId, (redis) => redis.sismember(signersKey(campaignId), voterId))) === 1;
}
