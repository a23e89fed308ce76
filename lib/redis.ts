import "server-only";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Cluster, Redis } from "ioredis";
import { redisUrl } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { redisCluster } from "@/supabase/functions/_shared/redis-cluster";

const patience = 200; // ms that a request waits
const connectTimeout = 1_000; // ms
const retryInterval = 500; // ms, so that Redis is back within the second that a refusal names

type Client = Redis | Cluster;

const state = processWide("redis", () => ({
  client: undefined as Client | undefined,
  connecting: undefined as Promise<Client> | undefined,
  /** Why there is no client. While it is set nothing is sent, so that a dead Redis costs no request its time-out. */
  failure: undefined as unknown,
  connections: new WeakMap<Client, { id: string; nodes: Redis[] }>(),
}));

/**
 * Runs commands on the one shared client, of a server or of a cluster. Throws AppError `unavailable` when Redis cannot be
 * reached, within 200 ms (or `within`, for more than a few commands) the first time and at once while it stays away; a
 * reply that is an error (wrong type, out of memory) is thrown as it is.
 */
export async function withRedis<Result>(
  run: (client: Client) => Promise<Result>,
  { within = patience }: { within?: number } = {},
): Promise<Result> {
  const client = state.client ?? (await firstClient(redisUrl()));
  try {
    return await inTime(within, run(client));
  } catch (error) {
    forgetPassword(error);
    if (isReply(error, /./) && !isReply(error, awayReplies)) throw error;
    discard(client, error);
    throw away(error);
  }
}

/**
 * An id of the client's connection, in a cluster of those to all masters: another id once one of them is made anew or
 * another node leads. Through one connection a server answers that has not been restarted.
 */
export function connectionId(client: Client): string {
  const nodes = mastersOf(client);
  const known = state.connections.get(client);
  if (known?.nodes.length === nodes.length && nodes.every((node) => known.nodes.includes(node))) return known.id;
  const id = randomUUID();
  state.connections.set(client, { id, nodes });
  return id;
}

// Each of them is one connection: none connects anew by itself.
const mastersOf = (client: Client) => ("nodes" in client ? client.nodes("master") : [client]);

// Counted in four parts, and what has arrived is read after each: a process that was busy itself for long, as when it
// loads a page for the first time, must not take that for a Redis that does not answer.
async function inTime<Result>(milliseconds: number, answer: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const wait = (parts: number) => {
    timer = setTimeout(() => {
      if (parts > 1) setImmediate(() => timer && wait(parts - 1));
      else setImmediate(() => late.reject(new Error(`No answer within ${milliseconds} ms.`)));
    }, milliseconds / 4);
  };
  wait(4);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    timer = undefined;
  }
}

// Replies that come from the connection or the server and not from the command: a changed password, a server that still
// loads or is busy, a node that lost its lead.
const awayReplies =
  /(^|-)(BUSY|CLUSTERDOWN|DENIED|LOADING|MASTERDOWN|NOAUTH|READONLY|TRYAGAIN|WRONGPASS|ERR max number of clients)\b/;

const isReply = (error: unknown, which: RegExp) =>
  error instanceof Error && error.name === "ReplyError" && which.test(error.message);

const away = (cause: unknown) =>
  new AppError("unavailable", "Couldn't reach the store. Try again in a moment.", { cause, retryAfter: 1 });

// ioredis adds the command to an error, and the command that signs in holds the password.
function forgetPassword(error: unknown) {
  if (error instanceof Error && "command" in error) delete error.command;
}

// Once, however many commands failed on it. A later client has nothing to do with it.
function discard(client: Client, error: unknown) {
  const isShared = state.client === client;
  if (!isShared && state.client !== undefined) return;
  state.client = undefined;
  if (isReply(error, /(^|-)READONLY\b/)) {
    // It answers, and can be read: the next call connects anew, and finds the server that has the lead now.
    if (isShared) inTime(connectTimeout, client.quit()).catch(() => client.disconnect());
    return;
  }
  if (isShared) client.disconnect();
  fail(error);
}

async function firstClient(url: string) {
  if (state.failure !== undefined) throw away(state.failure);
  try {
    return await inTime(patience, connectOnce(url));
  } catch (error) {
    fail(error);
    throw away(error);
  }
}

// Nothing is sent from now on, until a new client is ready.
function fail(error: unknown) {
  if (state.failure !== undefined) return;
  state.failure = error;
  void retry();
}

async function retry() {
  while (true) {
    await pause(retryInterval, undefined, { ref: false });
    if (state.failure === undefined) return;
    try {
      await connectOnce(redisUrl());
    } catch {
      // tried again
    }
  }
}

function connectOnce(url: string) {
  state.connecting ??= connect(url);
  return state.connecting;
}

async function connect(url: string): Promise<Client> {
  const client = createClient(url);
  client.on("error", () => undefined); // told by `once`, and by the command that fails
  const ended = new AbortController();
  client.once("end", () => {
    ended.abort();
    // Closed while nobody used it, as servers and balancers do: nothing has failed, the next call connects anew.
    if (state.client === client) state.client = undefined;
  });
  try {
    await once(client, "ready", { signal: AbortSignal.any([ended.signal, AbortSignal.timeout(connectTimeout)]) });
    // A server may still load. And a cluster is one store: while one of its nodes is away, no request finds out whose keys
    // lie there.
    await inTime(connectTimeout, Promise.all(mastersOf(client).map((node) => node.ping())));
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
  // ioredis would ask INFO whether the server is ready, which not every account may.
  const options = { maxRetriesPerRequest: 0, connectTimeout, enableReadyCheck: false };
  const cluster = redisCluster(url);
  if (!cluster) return new Redis(url, { ...options, retryStrategy: () => null });
  return new Cluster(cluster.nodes, {
    redisOptions: { ...options, ...cluster.login },
    clusterRetryStrategy: () => null,
    slotsRefreshTimeout: connectTimeout,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    maxRedirections: 3,
    dnsLookup: (host, found) => found(null, host), // a certificate is for the name, not for the address
  });
}
