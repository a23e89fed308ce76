import { countInMinute, type LocalCounts } from "./count-in-minute.ts";
import { withEdgeRedis } from "./redis.ts";

const retryAfterMs = 5_000; // a failed Redis may hang, and each request would wait for it

const localCounts: LocalCounts = new Map();
let retryAtMs = 0; // since 1970

/** Counts a request of this name as `countInMinute` does. */
export function countRequest(name: string): Promise<{ count: number; remaining: number }> {
  return countInMinute(
    `rate:${name}`,
    async (script, key, seconds) => {
      if (Date.now() < retryAtMs) return null;
      try {
        return await withEdgeRedis((redis) => redis.eval(script, 1, key, seconds));
      } catch (error) {
        retryAtMs = Date.now() + retryAfterMs;
        throw error;
      }
    },
    localCounts,
  );
}
