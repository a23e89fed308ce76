/** What is needed of a Redis client; ioredis has it for a server and for a cluster, in Node and in Deno. */
type RedisClient = {
  set(key: string, value: string): Promise<unknown>;
  set(key: string, value: string, unit: "PXAT", milliseconds: number): Promise<unknown>;
  eval(script: string, numberOfKeys: number, ...keys: string[]): Promise<unknown>;
};

/**
 * Present while every change of permissions that was committed more than `trust` ago has been carried out. Where it is
 * missing, cached snapshots are not read: a drain that fails, or a Redis that hung, makes Signet slower, not wrong.
 */
export const drainedKey = "permissions:drained";

// ms; with the time that a drain takes, below the 10 s within which a change made elsewhere takes effect
const trust = 8_000;

/** The Redis key of a user's permission epoch: an id never used twice, part of the key of each cached snapshot. */
export function epochKey(userId: string) {
  return `permissions:epoch:${userId}`;
}

// Commands sent at once. Each has its own timeout, and 10,000 at once would exceed it.
const renewedAtOnce = 1_000;

/** Gives users new epochs, 1,000 at a time. Throws if any of them can't be written. */
export async function renewEpochs(redis: RedisClient, userIds: string[]): Promise<void> {
  for (let from = 0; from < userIds.length; from += renewedAtOnce) {
    // No pipeline: in a cluster the keys lie on different nodes.
    const some = userIds.slice(from, from + renewedAtOnce);
    await Promise.all(some.map((userId) => redis.set(epochKey(userId), crypto.randomUUID())));
  }
}

/** The time of Redis, in ms since 1970: in a cluster that of the node which holds the mark. */
export async function readClock(redis: RedisClient): Promise<number> {
  const time = await redis.eval("return redis.call('TIME')", 1, drainedKey);
  const [seconds, microseconds] = Array.isArray(time) ? time : [];
  const milliseconds = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
  if (Number.isNaN(milliseconds)) throw new Error("Redis did not tell the time.");
  return milliseconds;
}

/**
 * Renews the lease after a drain that began at `since` (by Redis's clock) and left nothing pending. It ends at a point in time,
 * not after a duration, because a Redis that hangs runs the command late, and the lease must have expired by then.
 */
export async function markDrained(redis: RedisClient, since: number): Promise<void> {
  await redis.set(drainedKey, "1", "PXAT", since + trust);
}

/** Seconds since the start of the drain that renewed the lease; null without a lease. */
export async function readLeaseAge(redis: { pttl(key: string): Promise<number> }): Promise<number | null> {
  const left = await redis.pttl(drainedKey);
  return left < 0 ? null : (trust - left) / 1000;
}
