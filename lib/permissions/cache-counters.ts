import { processWide } from "@/lib/process-wide";

/** What the permission cache of this process has done since it began. */
export const cacheCounters = processWide("permission-counters", () => ({ hit: 0, miss: 0, bypass: 0, recompute: 0 }));

/** Counts one read: served, computed, computed past the cache, or computed again for its age. */
export function count(what: keyof typeof cacheCounters) {
  cacheCounters[what] += 1;
}
