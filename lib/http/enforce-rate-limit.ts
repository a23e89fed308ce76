import "server-only";
import { rateLimits } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";
import { countInMinute, type LocalCounts } from "@/supabase/functions/_shared/count-in-minute";

/** What is limited, each kind separately. */
export type RateKind = keyof ReturnType<typeof rateLimits>;

const localCounts = processWide("rate-limit", (): LocalCounts => new Map());

/**
 * Counts a user's request of one kind. Throws AppError `too-many-requests`, with the seconds to wait, beyond the limit
 * for a minute. Counted in Redis across instances, or in this process while Redis is unreachable.
 */
export async function enforceRateLimit(kind: RateKind, userId: string): Promise<void> {
  const { count, remaining: retryAfterSeconds } = await countInMinute(
    `rate:${kind}:${userId}`,
    (script, key, seconds) => withRedis((redis) => redis.eval(script, 1, key, seconds)),
    localCounts,
  );
  if (count <= rateLimits()[kind]) return;
  throw new AppError("too-many-requests", `Too many requests. Try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
}
