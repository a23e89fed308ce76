import "server-only";
import { z } from "zod";
import { withRedis } from "@/lib/redis";
import type { SignerSet } from "@/lib/signers/answers";
import { signersBuiltKey, signersKey, signersRunKey } from "@/supabase/functions/_shared/signers";

const runSchema = z.tuple([z.coerce.number().int().nullable(), z.coerce.number().int().nullable()]);

/** What the duplicate check of a campaign asks, as it is now. Throws AppError `unavailable` when Redis is away. */
export function readSignerSet(campaignId: string): Promise<SignerSet> {
  return withRedis(async (redis) => {
    const [members, builtAt, run] = await Promise.all([
      redis.scard(signersKey(campaignId)),
      redis.hget(signersBuiltKey(campaignId), "at"),
      redis.hmget(signersRunKey(campaignId), "read", "total"),
    ]);
    const [read, total] = runSchema.parse(run);
    return { members, builtAt, running: read === null || total === null ? null : { read, total } };
  });
}
