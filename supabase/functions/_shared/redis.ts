import { once } from "node:events";
import { Cluster, Redis } from "npm:ioredis@6.0.0";
import { clusterOptions, redisCluster } from "./redis-cluster.ts";

const timeoutMs = 2_000; // for connecting and for each command

type Client = Redis | Cluster;

let sharedConnection: Promise<Client> | undefined;

/**
 * Runs commands on this process's client (a server or a cluster). A client that has failed or closed is discarded,
 * so the next call reconnects.
 */
export async function withEdgeRedis<Result>(run: (redis: Client) => Promise<Result>): Promise<Result> {
  const url = Deno.env.get("REDIS_URL");
  if (!url) throw new Error("REDIS_URL is not set.");
  const connection = sharedConnection ?? connectShared(url);
  try {
    return await run(await connection);
  } catch (error) {
    if (error instanceof Error && "command" in error) delete error.command; // it can contain the password
    if (sharedConnection === connection) sharedConnection = undefined;
    connection.then((client) => client.disconnect()).catch(() => undefined);
    throw error;
  }
}

function connectShared(url: string): Promise<Client> {
  const connection = connect(url);
  const forget = () => {
    if (sharedConnection === connection) sharedConnection = undefined;
  };
  connection.then((client) => client.once("end", forget), forget);
  sharedConnection = connection;
  return connection;
}

async function connect(url: string): Promise<Client> {
  const client = createClient(url);
  client.on("error", () => undefined); // `once` and failing commands report it
  try {
    await once(client, "ready", { signal: AbortSignal.timeout(timeoutMs) });
    return client;
  } catch (error) {
    client.disconnect();
    throw error;
  }
}

// Like lib/redis.ts, with a longer timeout.
function createClient(url: string): Client {
  const options = {
    maxRetriesPerRequest: 0,
    commandTimeout: timeoutMs,
    connectTimeout: timeoutMs,
    enableReadyCheck: false, // it calls INFO, which not every account may
  };
  const cluster = redisCluster(url);
  if (!cluster) return new Redis(url, { ...options, retryStrategy: () => null });
  return new Cluster(cluster.nodes, clusterOptions(cluster, options));
}
