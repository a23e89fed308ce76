import "server-only";
import { rateLimits } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";

const window = 60; // seconds

/** What is limited, each kind for itself. */
export type RateKind = keyof ReturnType<typeof rateLimits>;

// Counts up within the window that the first request opens; answers the count and the seconds that remain.
const script = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('TTL', KEYS[1]) }
`;

const local = processWide("rate-limit", () => new Map<string, { count: number; endsAt: number }>());

/**
 * Counts a user's request of one kind. Throws AppError `too-many-requests`, with the seconds to wait, beyond the limit
 * for a minute. Counted in Redis for all instances together; while Redis is away, in this process.
 */
export async function requireRate(kind: RateKind, userId: string): Promise<void> {
  const { count, remaining } = await countUp(`rate:${kind}:${userId}`);
  if (count <= rateLimits()[kind]) return;
  throw new AppError("too-many-requests", `That was too often. Try again in ${remaining} seconds.`, {
    retryAfter: remaining,
  });
}

async function countUp(key: string) {
  try {
    const reply = await withRedis((redis) => redis.eval(script, 1, key, window));
    const [count, ttl] = Array.isArray(reply) ? reply.map(Number) : [];
    if (count !== undefined && ttl !== undefined) return { count, remaining: Math.max(1, ttl) };
  } catch {
    // counted here instead
  }
  return countUpHere(key, Date.now());
}

function countUpHere(key: string, now: number) {
  if (local.size > 10_000) for (const [old, { endsAt }] of local) if (endsAt <= now) local.delete(old);
  const running = local.get(key);
  const counter = running && running.endsAt > now ? running : { count: 0, endsAt: now + window * 1000 };
  counter.count += 1;
  local.set(key, counter);
  return { count: counter.count, remaining: Math.ceil((counter.endsAt - now) / 1000) };
}
