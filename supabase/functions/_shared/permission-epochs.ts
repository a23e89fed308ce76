/** What is needed of a Redis client; ioredis has it, in Node and in Deno. */
type RedisClient = {
  pipeline(): {
    set(key: string, value: string): unknown;
    exec(): Promise<[error: Error | null, result: unknown][] | null>;
  };
  set(key: string, value: string, unit: "PX", milliseconds: number): Promise<unknown>;
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

/** Gives the users new epochs, in one round trip. Throws when any of them could not be written. */
export async function renewEpochs(redis: RedisClient, userIds: string[]): Promise<void> {
  const pipeline = redis.pipeline();
  for (const userId of userIds) pipeline.set(epochKey(userId), crypto.randomUUID());
  for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
}

/** Notes that a drain which began at `since` (ms since 1970, this machine's clock) found nothing left to do. */
export async function markDrained(redis: RedisClient, since: number): Promise<void> {
  const left = trust - (Date.now() - since);
  if (left > 0) await redis.set(drainedKey, "1", "PX", left);
}
