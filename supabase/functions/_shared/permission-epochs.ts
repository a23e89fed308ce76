/** What is needed of a Redis client; ioredis has it, in Node and in Deno. */
type RedisClient = {
  pipeline(): {
    set(key: string, value: string): unknown;
    exec(): Promise<[error: Error | null, result: unknown][] | null>;
  };
};

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
