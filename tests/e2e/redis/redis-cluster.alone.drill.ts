import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { inspect } from "node:util";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startRedis } from "../../../harness/redis-server.ts";
import { enforceRateLimit } from "../../../lib/http/enforce-rate-limit.ts";
import { readEpoch } from "../../../lib/permissions/read-epoch.ts";
import { withRedis } from "../../../lib/redis.ts";
import { listOthersHere } from "../../../lib/signatures/entry-state.ts";
import { checkSigners, hasSigner } from "../../../lib/signers/has-signers.ts";
import { addSigner, removeSigner } from "../../../lib/signers/signers.ts";
import { markDrained, readClock, renewEpochs } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { rebuildSigners, type SetStore } from "../../../supabase/functions/_shared/rebuild-signers.ts";
import { signersBuiltKey, signersKey } from "../../../supabase/functions/_shared/signers.ts";
import { startRedisCluster } from "../../support/redis-cluster.ts";
import { startRedisProxy } from "../../support/redis-proxy.ts";
import { authority } from "../../support/tls-certificate.ts";

vi.mock("../../../lib/supabase/admin.ts", () => {
  const query = {
    select: () => query,
    in: async () => ({ data: [{ user_id: "ada", name: "Ada Moreno" }], error: null }),
  };
  return { createAdminClient: () => ({ from: () => query }) };
});

type World = { url: string; isCluster: boolean; close(): Promise<void> };

const worlds: [string, () => Promise<World>][] = [
  ["a cluster", async () => ({ ...(await startRedisCluster()), isCluster: true })],
  [
    "a cluster over TLS, with a password",
    async () => ({ ...(await startRedisCluster({ secure: true })), isCluster: true }),
  ],
  [
    "a server over TLS, with a user and a password",
    async () => {
      const server = await startRedis();
      const control = new Redis(server.url);
      await control.call("ACL", "SETUSER", "ann", "on", ">p@ss/word,1", "~*", "&*", "+@all");
      await control.call("ACL", "SETUSER", "default", "off");
      control.disconnect();
      const proxy = await startRedisProxy(server.port, { secure: true });
      const url = `rediss://ann:${encodeURIComponent("p@ss/word,1")}@localhost:${new URL(proxy.url).port}`;
      const close = async () => {
        proxy.close();
        await server.close();
      };
      return { url, isCluster: false, close };
    },
  ],
];

const trusted = getCACertificates("default");
beforeAll(() => setDefaultCACertificates([...trusted, authority]));
afterAll(() => setDefaultCACertificates(trusted));

test("a refused password is unavailable, and isn't in the error", async () => {
  const server = await startRedis({ settings: ["--requirepass", "right-one"] });
  vi.stubEnv("REDIS_URL", `redis://:wrong-one@127.0.0.1:${server.port}`);
  const error = await hasSigner({ campaignId: "clean-water", voterId: "v1" }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: "unavailable", cause: { message: expect.stringMatching(/^WRONGPASS/) } });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/wrong-one/);
  vi.stubEnv("REDIS_URL", `redis://:right-one@127.0.0.1:${server.port}`);
  await vi.waitFor(async () => expect(await hasSigner({ campaignId: "a", voterId: "v1" })).toBe(false), 2_000);
  await endClient();
  await server.close();
});

async function endClient() {
  const client = await withRedis(async (redis) => redis);
  const ended = once(client, "end");
  client.disconnect();
  await ended;
}

const campaigns = Array.from({ length: 30 }, (_, number) => `campaign-${number}`);

describe.each(worlds)("on %s", (_name, start) => {
  let world: World;
  beforeAll(async () => {
    world = await start();
    vi.stubEnv("REDIS_URL", world.url);
    // The first command of each node waits for its connection, which can take longer than a command may.
    const reachAll = () => Promise.all(campaigns.map((id) => withRedis((redis) => redis.exists(id))));
    await vi.waitFor(reachAll, { timeout: 30_000, interval: 200 });
  }, 60_000);
  afterAll(async () => {
    await endClient();
    await world?.close();
  });

  test("signers of many campaigns are added, found and removed", async () => {
    const voterIds = ["v1", "v2", "__proto__"];
    for (const campaignId of campaigns) {
      expect(await addSigner({ campaignId, voterId: "v1", changeNumber: 1 })).toBe("added");
      expect(await addSigner({ campaignId, voterId: "__proto__", changeNumber: 2 })).toBe("added");
      expect(await addSigner({ campaignId, voterId: "v1", changeNumber: 1 })).toBe("superseded");
    }
    await Promise.all(
      campaigns.map(async (campaignId) => {
        expect(await hasSigner({ campaignId, voterId: "v1" })).toBe(true);
        expect(await hasSigner({ campaignId, voterId: "v2" })).toBe(false);
        expect(await checkSigners({ campaignId, voterIds })).toEqual(
          new Map([
            ["v1", true],
            ["v2", false],
            ["__proto__", true],
          ]),
        );
        expect(await removeSigner({ campaignId, voterId: "v1", changeNumber: 3 })).toBe("removed");
        expect(await hasSigner({ campaignId, voterId: "v1" })).toBe(false);
      }),
    );
  });

  test("a wrong type is unavailable, and nothing else is affected", async () => {
    await withRedis((redis) => redis.set("campaign:wrong:signers", "no set"));
    const unavailable = { code: "unavailable", retryAfterSeconds: 5 };
    await expect(hasSigner({ campaignId: "wrong", voterId: "v1" })).rejects.toMatchObject(unavailable);
    expect(await hasSigner({ campaignId: "campaign-0", voterId: "__proto__" })).toBe(true);
  });

  test("epochs of many users are read and renewed during the lease", async () => {
    const userIds = Array.from({ length: 200 }, () => crypto.randomUUID());
    const read = () => Promise.all(userIds.map((userId) => readEpoch(userId)));
    expect(new Set(await read())).toEqual(new Set([null]));

    const since = await withRedis(readClock);
    expect(Math.abs(since - Date.now())).toBeLessThan(1_000);
    await withRedis((redis) => markDrained(redis, since));
    const [before, again] = [await read(), await read()];
    expect(again).toEqual(before);
    expect(new Set(before).size).toBe(userIds.length);
    expect(before).toEqual(userIds.map(() => expect.stringMatching(/^[0-9a-f-]{36}@[0-9a-f]{40}$/)));
    // The run id belongs to the node of the epoch.
    const runs = new Set(before.map((epoch) => epoch?.split("@")[1]));
    expect(runs.size).toBe(world.isCluster ? 3 : 1);

    await withRedis((redis) => renewEpochs(redis, userIds));
    const after = await read();
    for (const [index, epoch] of after.entries()) expect(epoch).not.toBe(before[index]);
  });

  test("clerks on many sheets see each other", async () => {
    for (const campaign of campaigns.slice(0, 10)) {
      for (const actorId of ["ada", "jun"]) {
        const here = await listOthersHere({ team: "north", campaign, actorId, sheet: 12, line: 3 });
        expect(here).toEqual(actorId === "ada" ? [] : [{ name: "Ada Moreno", line: 3 }]);
      }
    }
  });

  test("rates are counted", async () => {
    vi.stubEnv("RATE_LIMIT_SEARCH", "2");
    const userIds = Array.from({ length: 10 }, () => crypto.randomUUID());
    for (const userId of userIds) {
      await enforceRateLimit("search", userId);
      await enforceRateLimit("search", userId);
      await expect(enforceRateLimit("search", userId)).rejects.toMatchObject({ code: "too-many-requests" });
      // Counted in Redis, not in this process.
      expect(await withRedis((redis) => redis.get(`rate:search:${userId}`))).toBe("3");
    }
  });

  test("sets are rebuilt and swapped", async () => {
    const voterIds = Array.from({ length: 1_200 }, (_, number) => `v${String(number).padStart(4, "0")}`);
    const table = {
      count: async () => voterIds.length,
      page: async (_campaignId: string, after: string, limit: number) =>
        voterIds.filter((voterId) => voterId > after).slice(0, limit),
    };
    for (const campaignId of campaigns.slice(0, 6).map((campaign) => `built-${campaign}`)) {
      await addSigner({ campaignId, voterId: "v0001", changeNumber: 1 });
      await addSigner({ campaignId, voterId: "gone", changeNumber: 2 });
      const withStore = <Result>(run: (store: SetStore) => Promise<Result>) => withRedis(run);
      const counts = await rebuildSigners(
        { withStore, table, pageSize: 500 },
        { campaignId, numbers: [1] },
        () => true,
      );
      expect(counts).toEqual({ read: 1_200, added: 1_199, dropped: 1, served: [1] });
      const members = await withRedis((redis) => redis.smembers(signersKey(campaignId)));
      expect(members.toSorted()).toEqual(voterIds);
      expect(await withRedis((redis) => redis.exists(signersBuiltKey(campaignId)))).toBe(1);
    }
  });

  test("the edge functions can use it too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signet-deno-"));
    const file = join(folder, "authority.pem");
    writeFileSync(file, authority);
    const shared = resolve(import.meta.dirname, "../../../supabase/functions/_shared");
    const program = `
      import { markDrained, readClock, renewEpochs } from "${shared}/permission-epochs.ts";
      import { withEdgeRedis as withRedis } from "${shared}/redis.ts";
      import { applySignerChange } from "${shared}/signers.ts";
      const since = await withRedis(readClock);
      await withRedis((redis) => renewEpochs(redis, Array.from({ length: 50 }, (_, n) => "deno-" + n)));
      await withRedis((redis) => markDrained(redis, since));
      const applied = [];
      for (const campaignId of ["one", "two", "three", "four"]) {
        const change = { campaignId, voterId: "v1", member: true, changeNumber: 1 };
        applied.push(await withRedis((redis) => applySignerChange(redis, change)));
      }
      const wrong = await withRedis((redis) => redis.sadd("campaign:wrong:signers", "v1")).catch((error) => error.message);
      const after = await withRedis((redis) => redis.sismember("campaign:one:signers", "v1"));
      console.log(JSON.stringify({ applied, wrong: wrong.slice(0, 9), after, late: Date.now() - since > 2_000 }));
      Deno.exit();
    `;
    try {
      const deno = spawn(resolve(import.meta.dirname, "../../../node_modules/.bin/deno"), ["eval", program], {
        env: { ...process.env, REDIS_URL: world.url, NODE_EXTRA_CA_CERTS: file },
      });
      const [output] = await Promise.all([deno.stdout.toArray(), once(deno, "exit")]);
      expect(JSON.parse(Buffer.concat(output).toString())).toEqual({
        applied: [1, 1, 1, 1],
        wrong: "WRONGTYPE",
        after: 1,
        late: false,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(await hasSigner({ campaignId: "three", voterId: "v1" })).toBe(true);
  }, 30_000);
});

describe("a cluster that fails", () => {
  let cluster: Awaited<ReturnType<typeof startRedisCluster>>;
  beforeAll(async () => {
    cluster = await startRedisCluster();
    vi.stubEnv("REDIS_URL", cluster.url);
  }, 60_000);
  afterAll(() => cluster?.close());

  const campaigns = Array.from({ length: 12 }, (_, number) => `campaign-${number}`);
  const ask = async (campaignId: string) => {
    const beganAt = performance.now();
    const code = await hasSigner({ campaignId, voterId: "v1" }).catch((error) => error.code);
    return { code, took: performance.now() - beganAt };
  };
  const inTime = { code: "unavailable", took: expect.toSatisfy((took: number) => took < 500) };
  const untilRight = () =>
    vi.waitFor(
      async () => {
        for (const campaignId of campaigns) expect(await hasSigner({ campaignId, voterId: "v1" })).toBe(false);
      },
      { timeout: 2_000, interval: 10 },
    );
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;

  test.each(["frozen", "killed"])(
    "a node %s: unavailable within 500 ms, and correct again within 2 s",
    async (how) => {
      await untilRight();
      const [, node] = cluster.nodes;
      if (how === "frozen") node?.server.freeze();
      else await node?.server.stop();
      try {
        const first = await Promise.all(campaigns.map(ask));
        for (const { took } of first) expect(took).toBeLessThan(500);
        expect(first).toContainEqual(inTime); // at least its own keys
        for (let again = 0; again < 3; again++) {
          for (const result of await Promise.all(campaigns.map(ask))) expect(result).toEqual(inTime);
          await new Promise((done) => setTimeout(done, 600)); // attempts to connect come and go
        }
      } finally {
        if (how === "frozen") node?.server.thaw();
        else await node?.server.restart();
      }
      await cluster.untilReady();
      await untilRight();
    },
    40_000,
  );

  test("a slot that moved to another node is found there", async () => {
    await untilRight();
    const [from, to] = cluster.nodes;
    const key = "{moved}:signers";
    const slot = Number(await from?.control.cluster("KEYSLOT", key));
    const target = String(await to?.control.cluster("MYID"));
    for (const { control } of cluster.nodes) await control.cluster("SETSLOT", slot, "NODE", target);
    expect(await withRedis((redis) => redis.sadd(key, "v1"))).toBe(1);
    expect(await to?.control.sismember(key, "v1")).toBe(1);
  });

  test("1000 failures leave no connection behind", async () => {
    await untilRight();
    const settled = sockets();
    const [node] = cluster.nodes;
    node?.server.freeze();
    for (let count = 0; count < 1_000; count++) {
      await expect(withRedis((redis) => redis.eval("return redis.call('PING')", 1, `key-${count}`))).rejects.toThrow();
      if (count % 100 === 0) await new Promise((done) => setTimeout(done, 200));
      if (count === 0) await vi.waitFor(() => expect(withRedis((redis) => redis.get("any"))).rejects.toThrow());
    }
    node?.server.thaw();
    await cluster.untilReady();
    await untilRight();
    await vi.waitFor(() => expect(sockets()).toBeLessThanOrEqual(settled), { timeout: 10_000 });
  }, 40_000);
});
