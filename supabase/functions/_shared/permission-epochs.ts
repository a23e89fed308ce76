/** The used part of ioredis, which is the same for a server and a cluster, in Node and in Deno. */
type RedisClient = {
  set(key: string, value: string): Promise<unknown>;
  set(key: string, value: string, unit: "PXAT", milliseconds: number): Promise<unknown>;
  eval(script: string, numberOfKeys: number, ...keys: string[]): Promise<unknown>;
};

/**
 * The lease: present if every permission change committed more than `leaseMs` ago has been applied. Without it no cached
 * snapshot is read, so a failing drain or a hanging Redis makes Signet slower, not wrong.
 */
export const drainedKey = "permissions:drained";

const leaseMs = 8_000; // with the time of a drain, below the 10 s within which a change made elsewhere takes effect

/** The Redis key of a user's permission epoch: an id that is never reused, part of the key of each cached snapshot. */
export function epochKey(userId: string) {
  return `permissions:epoch:${userId}`;
}

const epochsPerBatch = 1_000; // 10,000 commands at once would exceed their timeouts

/** Gives users new epochs, 1,000 at a time. Throws if any of them can't be written. */
export async function renewEpochs(redis: RedisClient, userIds: string[]): Promise<void> {
  for (let from = 0; from < userIds.length; from += epochsPerBatch) {
    // Not a pipeline, because in a cluster the keys are on different nodes.
    const batch = userIds.slice(from, from + epochsPerBatch);
    await Promise.all(batch.map((userId) => redis.set(epochKey(userId), crypto.randomUUID())));
  }
}

/** The time of Redis in ms since 1970; in a cluster, of the node that has the lease. */
export async function readClock(redis: RedisClient): Promise<number> {
  const time = await redis.eval("return redis.call('TIME')", 1, drainedKey);
  const [seconds, microseconds] = Array.isArray(time) ? time : [];
  const milliseconds = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
  if (Number.isNaN(milliseconds)) throw new Error("Redis did not return the time.");
  return milliseconds;
}

/**
 * Renews the lease after a drain that began at `since` (by Redis's clock) and left nothing pending. It ends at a point in time,
 * not after a duration, because a Redis that hangs runs the command late, and the lease must have expired by then. It ends no later
 * than access that ends `endsInMs` after `since`, by the database's time.
 */
export async function markDrained(redis: RedisClient, since: number, endsInMs: number | null = null): Promise<void> {
  await redis.set(drainedKey, "1", "PXAT", since + Math.min(leaseMs, endsInMs ?? leaseMs));
}

/** Seconds since the start of the drain that renewed the lease; null without a lease. */
export async function readLeaseAge(redis: { pttl(key: string): Promise<number> }): Promise<number | null> {
  const remainingMs = await redis.pttl(drainedKey);
  return remainingMs < 0 ? null : (leaseMs - remainingMs) / 1000;
}
