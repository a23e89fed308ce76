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

// Commands that do not wait for each other: each has its own time-out, which all of 10 000 at once would not keep.
const renewedAtOnce = 1_000;

/** Gives the users new epochs, 1 000 at once. Throws when any of them could not be written. */
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
 * Notes that a drain which began at `since` (by Redis's clock) found nothing left to do. The end is a moment and not a
 * duration: a Redis that hangs carries the command out when it is back, however late, and then it must count no more.
 */
export async function markDrained(redis: RedisClient, since: number): Promise<void> {
  await redis.set(drainedKey, "1", "PXAT", since + trust);
}

/** The seconds since the drain began to which the lease is owed; null when there is none. */
export async function readLeaseAge(redis: { pttl(key: string): Promise<number> }): Promise<number | null> {
  const left = await redis.pttl(drainedKey);
  return left < 0 ? null : (trust - left) / 1000;
}
