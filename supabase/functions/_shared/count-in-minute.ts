const window = 60; // seconds
const mostLocal = 10_000; // keys that a process remembers without looking which have ended

// Counts up within the window that the first request opens; answers the count and the seconds that remain.
const script = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('TTL', KEYS[1]) }
`;

/** What a process has counted while Redis was away, by key. */
export type LocalCounts = Map<string, { count: number; endsAt: number }>;

/**
 * Counts a request under a key: how many there were in the minute that the first of them opened, and the seconds that
 * remain of it. In Redis, through `evaluate`, for all instances together; in `local` when that fails.
 */
export async function countInMinute(
  key: string,
  evaluate: (script: string, key: string, seconds: number) => Promise<unknown>,
  local: LocalCounts,
): Promise<{ count: number; remaining: number }> {
  try {
    const reply = await evaluate(script, key, window);
    const [count, remaining] = Array.isArray(reply) ? reply.map(Number) : [];
    if (count !== undefined && remaining !== undefined) return { count, remaining: Math.max(1, remaining) };
  } catch {
    // counted here instead
  }
  const now = Date.now();
  if (local.size > mostLocal) for (const [old, { endsAt }] of local) if (endsAt <= now) local.delete(old);
  const running = local.get(key);
  const counter = running && running.endsAt > now ? running : { count: 0, endsAt: now + window * 1000 };
  counter.count += 1;
  local.set(key, counter);
  return { count: counter.count, remaining: Math.ceil((counter.endsAt - now) / 1000) };
}
