import { Redis } from "ioredis";
import { vi } from "vitest";
import { startRedis } from "../../harness/redis-server.ts";
import { freePort } from "../../scripts/local-stack/ports.ts";
import { startRedisProxy } from "./redis-proxy.ts";

const slots = 16_384;

/** A real Redis Cluster of three nodes without replicas, optionally with TLS and a password. */
export async function startRedisCluster({ secure = false }: { secure?: boolean } = {}) {
  const password = "p@ss/word,1";
  const nodes: Awaited<ReturnType<typeof startNode>>[] = [];
  for (let index = 0; index < 3; index++) nodes.push(await startNode(secure, password));
  const [first] = nodes;
  if (!first) throw new Error("The cluster has no node.");
  for (const [index, { control }] of nodes.entries()) {
    const from = Math.ceil((index * slots) / nodes.length);
    const to = Math.ceil(((index + 1) * slots) / nodes.length);
    await control.cluster("ADDSLOTS", ...Array.from({ length: to - from }, (_, offset) => from + offset));
    if (index > 0) await control.cluster("MEET", "127.0.0.1", first.server.port);
  }
  const untilReady = () =>
    vi.waitFor(
      async () => {
        for (const { control } of nodes) {
          const [state, known] = [String(await control.cluster("INFO")), String(await control.cluster("NODES"))];
          if (!state.includes("cluster_state:ok") || known.trim().split("\n").length < nodes.length) {
            throw new Error(`The cluster is not ready.\n${known}`);
          }
        }
      },
      { timeout: 20_000, interval: 20 },
    );
  await untilReady();

  const hosts = nodes.map(({ address }) => address).join(",");
  return {
    url: secure ? `rediss://:${encodeURIComponent(password)}@${hosts}` : `redis://${hosts}`,
    nodes,
    /** Waits until each node reports that all slots are served. */
    untilReady,
    async close() {
      for (const { close } of nodes) await close();
    },
  };
}

async function startNode(secure: boolean, password: string) {
  const announced = secure ? await freePort(17_500) : 0;
  const settings = [
    "--cluster-enabled",
    "yes",
    "--cluster-config-file",
    "nodes.conf",
    "--cluster-node-timeout",
    "1000",
  ];
  if (secure) settings.push("--cluster-announce-port", String(announced), "--requirepass", password);
  // The cluster bus listens 10,000 ports higher.
  const server = await startRedis({ near: 17_100 + Math.floor(Math.random() * 300), settings });
  const proxy = secure ? await startRedisProxy(server.port, { port: announced, secure }) : null;
  const control = new Redis(server.port, "127.0.0.1", {
    ...(secure && { password }),
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  control.on("error", () => undefined);
  return {
    server,
    control,
    address: secure ? `localhost:${announced}` : `127.0.0.1:${server.port}`,
    async close() {
      control.disconnect();
      proxy?.close();
      await server.close();
    },
  };
}
