const windowSeconds = 60;
const maxLocalKeys = 10_000; // with more, a process deletes those whose minute is over

// Counts up within the window that the first request opens; returns the count and the seconds until it ends.
const script = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('TTL', KEYS[1]) }
`;

/** What a process has counted while Redis was unreachable, by key. */
export type LocalCounts = Map<string, { count: number; endsAt: number }>;

/**
 * Counts a request under a key: how many there were in the minute that the first of them opened, and the seconds left of it.
 * In Redis, through `evaluate`, for all instances together; in `localCounts` if that fails.
 */
export async function countInMinute(
  key: string,
  evaluate: (script: string, key: string, seconds: number) => Promise<unknown>,
  localCounts: LocalCounts,
): Promise<{ count: number; remaining: number }> {
  try {
    const reply = await evaluate(script, key, windowSeconds);
    const [count, remaining] = Array.isArray(reply) ? reply.map(Number) : [];
    if (count !== undefined && remaining !== undefined) return { count, remaining: Math.max(1, remaining) };
  } catch {
    // counted in `localCounts`
  }
  const now = Date.now();
  if (localCounts.size > maxLocalKeys)
    for (const [oldKey, { endsAt }] of localCounts) if (endsAt <= now) localCounts.delete(oldKey);
  const current = localCounts.get(key);
  const counter = current && current.endsAt > now ? current : { count: 0, endsAt: now + windowSeconds * 1000 };
  counter.count += 1;
  localCounts.set(key, counter);
  return { count: counter.count, remaining: Math.ceil((counter.endsAt - now) / 1000) };
}
