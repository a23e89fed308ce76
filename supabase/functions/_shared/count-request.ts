import { withRedis } from "./redis.ts";

const window = 60; // seconds
const pause = 5_000; // ms for which a Redis that failed is not asked: it may hang, and each request would wait for it

// As in lib/http/require-rate.ts.
const script = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('TTL', KEYS[1]) }
`;

const local = new Map<string, { count: number; endsAt: number }>();
let awayUntil = 0; // ms since 1970

/**
 * Counts a request of this name: how many there were in the minute that the first of them opened, and the seconds that
 * remain of it. In Redis for all instances together; while Redis is away, in this process.
 */
export async function countRequest(name: string): Promise<{ count: number; remaining: number }> {
  const key = `rate:${name}`;
  if (Date.now() >= awayUntil) {
    try {
      const reply = await withRedis((redis) => redis.eval(script, 1, key, window));
      const [count, remaining] = Array.isArray(reply) ? reply.map(Number) : [];
      if (count !== undefined && remaining !== undefined) return { count, remaining: Math.max(1, remaining) };
    } catch {
      awayUntil = Date.now() + pause;
    }
  }
  return countHere(key, Date.now());
}

function countHere(key: string, now: number) {
  if (local.size > 1_000) for (const [old, { endsAt }] of local) if (endsAt <= now) local.delete(old);
  const running = local.get(key);
  const counter = running && running.endsAt > now ? running : { count: 0, endsAt: now + window * 1000 };
  counter.count += 1;
  local.set(key, counter);
  return { count: counter.count, remaining: Math.ceil((counter.endsAt - now) / 1000) };
}
