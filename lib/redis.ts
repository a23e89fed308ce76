import "server-only";
import { Redis } from "ioredis";
import { redisUrl } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";

const commandTimeout = 200; // ms
const probeInterval = 1_000; // ms

const state = processWide("redis", () => ({
  client: undefined as Redis | undefined,
  /** While true nothing is sent, so that a dead Redis costs no request its time-out. */
  broken: false,
}));

function connect() {
  const client = new Redis(redisUrl(), {
    maxRetriesPerRequest: 0,
    commandTimeout,
    connectTimeout: 1_000,
    retryStrategy: () => null, // the probe makes a new client
  });
  client.on("error", () => undefined); // told by the command that fails
  return client;
}

// A client that failed once is thrown away; until a new one answers, every call fails at once.
function breakUntilItAnswers() {
  if (state.broken) return;
  state.broken = true;
  state.client?.disconnect();
  state.client = undefined;
  const probe = async () => {
    const client = connect();
    try {
      await client.ping();
      state.client = client;
      state.broken = false;
    } catch {
      client.disconnect();
      setTimeout(() => void probe(), probeInterval).unref();
    }
  };
  setTimeout(() => void probe(), probeInterval).unref();
}

const isReplyError = (error: unknown) => error instanceof Error && error.name === "ReplyError";

// Replies that come from the connection and not from the command: a changed password, a node that lost its lead.
const isConnectionReply = (error: unknown) =>
  error instanceof Error && /^(WRONGPASS|NOAUTH|READONLY)/.test(error.message);

/**
 * Runs commands on the one shared client. Throws AppError `unavailable` when Redis cannot be reached, within 200 ms the
 * first time and at once while it stays away; a reply that is an error (wrong type, out of memory) is thrown as it is.
 */
export async function withRedis<Result>(run: (client: Redis) => Promise<Result>): Promise<Result> {
  if (state.broken) throw new AppError("unavailable", "The store is away. Try again in a moment.", { retryAfter: 1 });
  state.client ??= connect();
  try {
    return await run(state.client);
  } catch (error) {
    if (error instanceof Error && "command" in error) delete error.command; // it can hold the password of the connection
    if (isReplyError(error) && !isConnectionReply(error)) throw error;
    breakUntilItAnswers();
    throw new AppError("unavailable", "The store is away. Try again in a moment.", { cause: error, retryAfter: 1 });
  }
}
