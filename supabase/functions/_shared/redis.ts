import { Redis } from "npm:ioredis@6.0.0";

let shared: Redis | undefined;

/** Runs commands on the one client of this process. One that failed is thrown away, so that the next call connects anew. */
export async function withRedis<Result>(run: (redis: Redis) => Promise<Result>): Promise<Result> {
  const url = Deno.env.get("REDIS_URL");
  if (!url) throw new Error("REDIS_URL is not set.");
  shared ??= connect(url);
  try {
    return await run(shared);
  } catch (error) {
    if (error instanceof Error && "command" in error) delete error.command; // it can hold the password of the connection
    shared.disconnect();
    shared = undefined;
    throw error;
  }
}

function connect(url: string) {
  const client = new Redis(url, { maxRetriesPerRequest: 0, commandTimeout: 2_000, retryStrategy: () => null });
  client.on("error", () => undefined); // told by the command that fails
  return client;
}
