import "server-only";
import { z } from "zod";
import type { SignerSet } from "@/lib/signers/answers";
import { withSignerSet } from "@/lib/signers/with-signer-set";
import { signersBuiltKey, signersKey, signersRunKey } from "@/supabase/functions/_shared/signers";

const runSchema = z.tuple([z.coerce.number().int().nullable(), z.coerce.number().int().nullable()]);

/** What the duplicate check of a campaign asks, as it is now. Throws AppError `unavailable` when Redis is away. */
export function readSignerSet(campaignId: string): Promise<SignerSet> {
  return withSignerSet(campaignId, async (redis) => {
    const [members, builtAt, run] = await Promise.all([
      redis.scard(signersKey(campaignId)),
      redis.hget(signersBuiltKey(campaignId), "at"),
      redis.hmget(signersRunKey(campaignId), "read", "total"),
    ]);
    const [read, total] = runSchema.parse(run);
    return { members, builtAt, running: read === null || total === null ? null : { read, total } };
  });
}
