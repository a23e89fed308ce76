/** What is needed of a Redis client; ioredis has it, in Node and in Deno. */
type RedisClient = {
  pipeline(): {
    set(key: string, value: string): unknown;
    exec(): Promise<[error: Error | null, result: unknown][] | null>;
  };
  set(key: string, value: string, unit: "PXAT", milliseconds: number): Promise<unknown>;
  time(): Promise<number[]>;
};

/**
 * Present while every change of permissions that was committed more than `trust` ago has been carried out. Where it is
 * missing, cached snapshots are not read: a schedule that stopped, or a Redis that hung, makes Signet slower, not wrong.
 */
export const drainedKey = "permissions:drained";

// ms; with the time that a drain takes, below the 10 s within which a change made elsewhere takes effect
const trust = 8_000;

/** The Redis key of a user's permission epoch: an id never used twice, part of the key of each cached snapshot. */
export function epochKey(userId: string) {
  return `permissions:epoch:${userId}`;
}

// Of one pipeline: each command has its own time-out, which all of 10 000 at once would not keep.
const renewedAtOnce = 1_000;

/** Gives the users new epochs, in one round trip for each 1 000. Throws when any of them could not be written. */
export async function renewEpochs(redis: RedisClient, userIds: string[]): Promise<void> {
  for (let from = 0; from < userIds.length; from += renewedAtOnce) {
    const pipeline = redis.pipeline();
    for (const userId of userIds.slice(from, from + renewedAtOnce)) pipeline.set(epochKey(userId), crypto.randomUUID());
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
  }
}

/** The time of Redis, in ms since 1970. */
export async function readClock(redis: RedisClient): Promise<number> {
  const [seconds = 0, microseconds = 0] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000); // text in some clients
}

/**
 * Notes that a drain which began at `since` (by Redis's clock) found nothing left to do. The end is a moment and not a
 * duration: a Redis that hangs carries the command out when it is back, however late, and then it must count no more.
 */
export async function markDrained(redis: RedisClient, since: number): Promise<void> {
  await redis.set(drainedKey, "1", "PXAT", since + trust);
}
