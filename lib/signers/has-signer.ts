import "server-only";
import { withSignerSet } from "@/lib/signers/with-signer-set";
import { signersKey } from "@/supabase/functions/_shared/signers";

/**
 * True exactly when the voter is a member of the campaign's set of signers (contract 4.4). Throws AppError
 * `unavailable` when Redis can't be reached, or has something else in place of the set, which is then rebuilt.
 */
export async function hasSigner({ campaignId, voterId }: { campaignId: string; voterId: string }): Promise<boolean> {
  return (await withSignerSet(campaignId, (redis) => redis.sismember(signersKey(campaignId), voterId))) === 1;
}
