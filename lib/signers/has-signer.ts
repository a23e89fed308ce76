import "server-only";
import { withRedis } from "@/lib/redis";
import { signersKey } from "@/supabase/functions/_shared/signers";

/**
 * True exactly when the voter is a member of the campaign's set of signers (contract 4.4). Throws AppError
 * `unavailable` when Redis cannot be reached, and a reply that is an error (wrong type) as it is.
 */
export async function hasSigner({ campaignId, voterId }: { campaignId: string; voterId: string }): Promise<boolean> {
  return (await withRedis((redis) => redis.sismember(signersKey(campaignId), voterId))) === 1;
}
