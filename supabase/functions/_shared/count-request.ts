import { countInMinute, type LocalCounts } from "./count-in-minute.ts";
import { withEdgeRedis } from "./redis.ts";

const retryAfterMs = 5_000; // a failed Redis may hang, and each request would wait for it

const local: LocalCounts = new Map();
let unreachableUntil = 0; // ms since 1970

/** Counts a request of this name as `countInMinute` does. */
export function countRequest(name: string): Promise<{ count: number; remaining: number }> {
  return countInMinute(
    `rate:${name}`,
    async (script, key, seconds) => {
      if (Date.now() < unreachableUntil) return null;
      try {
        return await withEdgeRedis((redis) => redis.eval(script, 1, key, seconds));
      } catch (error) {
        unreachableUntil = Date.now() + retryAfterMs;
        throw error;
      }
    },
    local,
  );
}
