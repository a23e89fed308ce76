import "server-only";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Cluster, Redis } from "ioredis";
import { redisUrl } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { clusterOptions, redisCluster } from "@/supabase/functions/_shared/redis-cluster";

const requestTimeoutMs = 200;
const connectTimeoutMs = 1_000;
const retryIntervalMs = 500; // so that Redis is back within the second that a refusal names

type Client = Redis | Cluster;

const state = processWide("redis", () => ({
  client: undefined as Client | undefined,
  connecting: undefined as Promise<Client> | undefined,
  /** Why there is no client. While it is set, commands fail at once, so that no request waits for an unreachable Redis. */
  failure: undefined as unknown,
  connections: new WeakMap<Client, { id: string; nodes: Redis[] }>(),
}));

/**
 * Runs commands on the one shared client, of a server or of a cluster. Throws AppError `unavailable` if Redis can't be reached:
 * the first time after 200 ms (or `within`, for many commands), then immediately until it is back. An error reply (wrong type,
 * out of memory) is thrown as it is.
 */
export async function withRedis<Result>(
  run: (client: Client) => Promise<Result>,
  { within = requestTimeoutMs }: { within?: number } = {},
): Promise<Result> {
  const client = state.client ?? (await firstClient(redisUrl()));
  try {
    return await withReplyTimeout(within, run(client));
  } catch (error) {
    forgetPassword(error);
    if (isReplyError(error, /./) && !isReplyError(error, unreachableReplies)) throw error;
    discard(client, error);
    throw unreachable(error);
  }
}

/**
 * An id of the client's connection, in a cluster of those to all masters: it changes when one reconnects or another node
 * becomes master. A server that replies over the same connection hasn't restarted.
 */
export function connectionId(client: Client): string {
  const nodes = listMasters(client);
  const previous = state.connections.get(client);
  if (previous?.nodes.length === nodes.length && nodes.every((node) => previous.nodes.includes(node)))
    return previous.id;
  const id = randomUUID();
  state.connections.set(client, { id, nodes });
  return id;
}

// Each is one connection: none reconnects on its own.
const listMasters = (client: Client) => ("nodes" in client ? client.nodes("master") : [client]);

// Waits in four parts and reads what has arrived after each. ioredis' commandTimeout would blame Redis when this process was
// busy, such as with loading a page for the first time.
async function withReplyTimeout<Result>(timeoutMs: number, reply: Promise<Result>): Promise<Result> {
  const timeout = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const wait = (parts: number) => {
    timer = setTimeout(() => {
      if (parts > 1) setImmediate(() => timer && wait(parts - 1));
      else setImmediate(() => timeout.reject(new Error(`No reply within ${timeoutMs} ms.`)));
    }, timeoutMs / 4);
  };
  wait(4);
  try {
    return await Promise.race([reply, timeout.promise]);
  } finally {
    clearTimeout(timer);
    timer = undefined;
  }
}

// Replies about the connection or the server: a changed password, a server that is loading or busy, a node that is no
// longer master.
const unreachableReplies =
  /(^|-)(BUSY|CLUSTERDOWN|DENIED|LOADING|MASTERDOWN|NOAUTH|READONLY|TRYAGAIN|WRONGPASS|ERR max number of clients)\b/;

const isReplyError = (error: unknown, pattern: RegExp) =>
  error instanceof Error && error.name === "ReplyError" && pattern.test(error.message);

const unreachable = (cause: unknown) =>
  new AppError("unavailable", "Part of Signet is down. Try again in a moment.", { cause, retryAfterSeconds: 1 });

// ioredis adds the command to an error, and that of signing in contains the password.
function forgetPassword(error: unknown) {
  if (error instanceof Error && "command" in error) delete error.command;
}

// Once, however many commands failed. A newer client is not discarded.
function discard(client: Client, error: unknown) {
  const isShared = state.client === client;
  if (!isShared && state.client !== undefined) return;
  state.client = undefined;
  if (isReplyError(error, /(^|-)READONLY\b/)) {
    // A replica can still be read. The next call reconnects, and finds the current master.
    if (isShared) withReplyTimeout(connectTimeoutMs, client.quit()).catch(() => client.disconnect());
    return;
  }
  if (isShared) client.disconnect();
  void retry(error);
}

async function firstClient(url: string) {
  if (state.failure !== undefined) throw unreachable(state.failure);
  try {
    return await withReplyTimeout(requestTimeoutMs, connectOnce(url));
  } catch (error) {
    void retry(error);
    throw unreachable(error);
  }
}

// Nothing is sent until a new client is ready.
async function retry(failure: unknown) {
  if (state.failure !== undefined) return;
  state.failure = failure;
  while (state.failure !== undefined) {
    await pause(retryIntervalMs, undefined, { ref: false });
    try {
      if (state.failure !== undefined) await connectOnce(redisUrl());
    } catch {
      // try again
    }
  }
}

function connectOnce(url: string) {
  state.connecting ??= connect(url);
  return state.connecting;
}

async function connect(url: string): Promise<Client> {
  const client = createClient(url);
  client.on("error", () => undefined); // reported by `once`, and by the command that fails
  const ended = new AbortController();
  client.once("end", () => {
    ended.abort();
    // Closed while idle, as servers and load balancers do: nothing failed, and the next call reconnects.
    if (state.client === client) state.client = undefined;
  });
  try {
    await once(client, "ready", { signal: AbortSignal.any([ended.signal, AbortSignal.timeout(connectTimeoutMs)]) });
    // A server may still be loading. A cluster counts as one store: while a node is unreachable, none of it is used.
    await withReplyTimeout(connectTimeoutMs, Promise.all(listMasters(client).map((node) => node.ping())));
  } catch (error) {
    client.disconnect();
    state.connecting = undefined;
    forgetPassword(error);
    throw error;
  }
  state.client = client;
  state.connecting = undefined;
  state.failure = undefined;
  return client;
}

function createClient(url: string): Client {
  // ioredis would check readiness with INFO, which not every account may run.
  const options = { maxRetriesPerRequest: 0, connectTimeout: connectTimeoutMs, enableReadyCheck: false };
  const cluster = redisCluster(url);
  if (!cluster) return new Redis(url, { ...options, retryStrategy: () => null });
  return new Cluster(cluster.nodes, clusterOptions(cluster, options));
}
