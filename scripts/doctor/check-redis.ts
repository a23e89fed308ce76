import { once } from "node:events";
import { Cluster, Redis } from "ioredis";
import { inspectRedis } from "../../lib/health/inspect-redis.ts";
import { readLeaseAge } from "../../supabase/functions/_shared/permission-epochs.ts";
import { clusterOptions, redisCluster } from "../../supabase/functions/_shared/redis-cluster.ts";
import { type Finding, failureReason, NotChecked, notChecked, ok, requireEnv, warning, wrong } from "./finding.ts";

const pingCount = 20;
const slowLatencyMs = 10;

/** Whether Redis responds, is new enough, evicts nothing, accepts all commands, and is near. */
export async function checkRedis(signal: AbortSignal): Promise<Finding[]> {
  const client = createClient(requireEnv("REDIS_URL"));
  let connectionError: unknown;
  client.on("error", (error) => {
    connectionError ??= error; // the error of a command doesn't contain it
  });
  const aborted = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => aborted.reject(signal.reason));
  try {
    return await Promise.race([examine(client), aborted.promise]);
  } catch (error) {
    const problem = failureReason(signal.aborted ? error : (connectionError ?? error));
    const fix =
      "Compare REDIS_URL with what its host says: address, port, user and password, rediss:// where it wants TLS.";
    return [wrong(`Redis cannot be used: ${problem}.`, fix)];
  } finally {
    client.disconnect();
  }
}

async function examine(client: Redis | Cluster): Promise<Finding[]> {
  const ended = new AbortController();
  client.once("end", () => ended.abort());
  await once(client, "ready", { signal: ended.signal });
  // A server may still be loading, and in a cluster one node may be unreachable.
  await Promise.all((client instanceof Cluster ? client.nodes("master") : [client]).map((node) => node.ping()));
  const inspection = await inspectRedis((command) => command(client));
  const latenciesMs: number[] = [];
  for (let sent = 0; sent < pingCount; sent++) {
    const startedAt = performance.now();
    await client.ping();
    latenciesMs.push(performance.now() - startedAt);
  }
  const latencyMs = latenciesMs.sort((a, b) => a - b)[pingCount / 2] ?? 0;
  const leaseAgeSeconds = await readLeaseAge(client);
  const lease =
    leaseAgeSeconds === null ? "no lease (no one is reading)" : `the lease is ${Math.round(leaseAgeSeconds)} s old`;
  return [...judgeRedis({ ...inspection, latencyMs }), ok(lease)];
}

/** The findings about a Redis that takes `latencyMs` ms to respond. */
export function judgeRedis({
  version,
  evictionPolicy,
  refuses,
  latencyMs,
}: Awaited<ReturnType<typeof inspectRedis>> & { latencyMs: number }): Finding[] {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  const isOld = version !== null && !version.startsWith("Valkey") && (major < 6 || (major === 6 && minor < 2));
  const latencyMessage = `${latencyMs.toFixed(1)} ms per response`;
  return [
    version === null
      ? notChecked("it doesn't say its version, which must be 6.2 or newer")
      : isOld
        ? wrong(`Redis ${version} is too old.`, "Update it to 6.2 or newer, or to Valkey.")
        : ok(/^\d/.test(version) ? `Redis ${version}` : version),
    evictionPolicy === null
      ? notChecked("it doesn't say what it evicts, which must be nothing (maxmemory-policy noeviction)")
      : evictionPolicy === "noeviction"
        ? ok("evicts nothing")
        : wrong(
            `Redis evicts (${evictionPolicy}): a voter whose set was evicted looks unsigned until the set is rebuilt.`,
            "redis-cli CONFIG SET maxmemory-policy noeviction, and in its configuration; hosted, in its host's settings",
          ),
    refuses.length > 0
      ? wrong(
          `Redis refuses what Signet needs: ${refuses.join(", ")}.`,
          "If this is a replica, use the primary. Otherwise give the user of REDIS_URL all keys and these commands: redis-cli ACL SETUSER <user> '~*' " +
            refuses.map((command) => `+${command.toLowerCase()}`).join(" "),
        )
      : ok("accepts all commands"),
    latencyMs > slowLatencyMs
      ? warning(
          `${latencyMessage}: it should be less than ${slowLatencyMs} ms from where Signet runs, because each page waits for it. Put both in one region`,
        )
      : ok(latencyMessage),
  ];
}

function createClient(url: string) {
  // Sends no INFO before the first command, like lib/redis.ts.
  const options = {
    maxRetriesPerRequest: 0,
    connectTimeout: 5_000,
    retryStrategy: () => null,
    enableReadyCheck: false,
  };
  try {
    const cluster = redisCluster(url);
    if (!cluster) return new Redis(url, options);
    return new Cluster(cluster.nodes, clusterOptions(cluster, options));
  } catch {
    throw new NotChecked("REDIS_URL can't be read");
  }
}
