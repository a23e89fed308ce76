import { Redis } from "ioredis";
import { afterAll } from "vitest";
import { startRedis } from "../../harness/redis-server.ts";

/** The Redis server of a test file, and a separate connection that waits while the server is unreachable. */
export async function setUpRedis() {
  const server = await startRedis();
  const redis = new Redis(server.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on("error", () => undefined);
  afterAll(async () => {
    redis.disconnect();
    await server.close();
  });
  return { server, redis };
}
