import "next/dist/server/node-environment-baseline.js"; // before anything else of Next.js
import { Redis } from "ioredis";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startRedis } from "../../../harness/redis-server.ts";
import { cacheCounters, cachedByEpoch } from "../../../lib/permissions/cached-by-epoch.ts";
import { readEpoch } from "../../../lib/permissions/read-epoch.ts";
import { processWide } from "../../../lib/process-wide.ts";
import { drainedKey, epochKey, renewEpochs } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { serverRun } from "../../../supabase/functions/_shared/server-run.ts";
import { startNextCache } from "../../support/next-cache.ts";
import { pending } from "../../support/pending-changes.ts";
import { setUpRedis } from "../../support/redis.ts";
import { startRedisProxy } from "../../support/redis-proxy.ts";

// The cache is used only under an epoch of the current Redis and under a lease, which reads renew by carrying out waiting
// changes. Redis and Next's cache are real; the table of changes is a list.

vi.mock("../../../lib/supabase/admin.ts", () => import("../../support/pending-changes.ts"));

const turnKey = "permissions:draining";
const restricted = (...rights: string[]) => ["--user", "restricted", "on", ">right", "~*", "&*", "+@all", ...rights];
const clientState = () => processWide("redis", () => ({ client: undefined as Redis | undefined, failure: undefined }));

let isAllowed = true;
const readPermission = (userId: string) =>
  cachedByEpoch({ name: "test", userId, keyParts: ["test", userId], compute: async () => isAllowed });

const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
const info = vi.spyOn(console, "info").mockImplementation(() => undefined);
beforeAll(startNextCache);
beforeEach(() => {
  isAllowed = true;
  pending.reset();
  Object.assign(cacheCounters, { hit: 0, miss: 0, bypass: 0, recompute: 0 });
  vi.clearAllMocks();
});

const connect = (port: number) => {
  const client = new Redis(port, "127.0.0.1", { enableReadyCheck: false, retryStrategy: () => 20 });
  client.on("error", () => undefined);
  return client;
};
const dropPendingReads = () => processWide("permission-flights", () => new Map()).clear();

// Disconnects the client, so that no test uses the server of another.
async function disconnect() {
  clientState().client?.disconnect();
  await vi.waitFor(() => expect(clientState().client).toBeUndefined());
}

// A Redis that is restored from an old state, with the permissions that hosted ones grant.
describe.each([
  { account: "an account that may call everything", settings: [], user: "" },
  { account: "an account without dangerous commands", settings: restricted("-@dangerous"), user: "restricted:right@" },
  { account: "a server that has no INFO", settings: ["--rename-command", "INFO", ""], user: "" },
])("for $account", ({ settings, user }) => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let proxy: Awaited<ReturnType<typeof startRedisProxy>>;
  let redis: Redis;
  beforeEach(async () => {
    server = await startRedis({ settings: [...settings, "--repl-diskless-sync-delay", "0"] });
    proxy = await startRedisProxy(server.port);
    redis = connect(server.port);
    vi.stubEnv("REDIS_URL", proxy.url.replace("//", `//${user}`));
  });
  afterEach(async () => {
    await disconnect();
    redis.disconnect();
    proxy.close();
    await server.close();
  });

  // Reads until the cache answers, and expects every answer to be no.
  async function expectNoUntilCached(userId: string) {
    const hits = cacheCounters.hit;
    const answers: boolean[] = [];
    await vi.waitFor(
      async () => {
        dropPendingReads();
        answers.push(await readPermission(userId));
        expect(cacheCounters.hit).toBeGreaterThan(hits);
      },
      { timeout: 10_000, interval: 30 },
    );
    expect(answers).not.toContain(true);
  }
  async function revoke(userId: string, on = redis) {
    isAllowed = false;
    await renewEpochs(on, [userId]);
    expect(await readPermission(userId)).toBe(false);
  }

  test("caches a snapshot until the epoch changes", async () => {
    const ann = crypto.randomUUID();
    for (let again = 0; again < 5; again++) expect(await readPermission(ann)).toBe(true);
    expect(cacheCounters).toEqual({ hit: 4, miss: 1, bypass: 0, recompute: 0 });
    expect(pending.readCount).toBe(1); // while the lease lasts
    await revoke(ann);
    await expectNoUntilCached(ann);
  });

  test.each(["younger", "older"])("never returns an old yes from a dump that is %s than the lease", async (age) => {
    const ann = crypto.randomUUID();
    expect(await readPermission(ann)).toBe(true);
    const epoch = await redis.get(epochKey(ann));
    if (age === "older") await redis.del(drainedKey, turnKey);
    await redis.save();
    await revoke(ann);

    await server.restart();
    expect(await redis.get(epochKey(ann))).toBe(epoch); // the old state is back
    expect(await redis.exists(drainedKey)).toBe(age === "younger" ? 1 : 0);
    await expectNoUntilCached(ann);
  });

  test("never returns an old yes from a replica that takes over and missed a revoke", async () => {
    const ann = crypto.randomUUID();
    expect(await readPermission(ann)).toBe(true);
    const epoch = await redis.get(epochKey(ann));
    const second = await startRedis({ settings: [...settings, "--replicaof", "127.0.0.1", String(server.port)] });
    const replica = connect(second.port);
    try {
      await vi.waitFor(async () => expect(await replica.get(epochKey(ann))).toBe(epoch), { timeout: 10_000 });
      await replica.replicaof("NO", "ONE");
      await revoke(ann);
      expect(await replica.get(epochKey(ann))).toBe(epoch);

      proxy.targetPort = second.port;
      proxy.setMode("close");
      proxy.setMode("pass");
      await server.stop();
      await expectNoUntilCached(ann);
      expect(await replica.get(epochKey(ann))).toBe(epoch);
    } finally {
      replica.disconnect();
      await second.close();
    }
  });

  test("drops at most the cache after a connection was closed while idle", async () => {
    const ann = crypto.randomUUID();
    const before = await readEpoch(ann);
    proxy.setMode("close");
    proxy.setMode("pass");
    await vi.waitFor(async () => expect(await readEpoch(ann)).not.toBeNull(), { timeout: 4_000 });
    expect((await readEpoch(ann)) === before).toBe(settings.length === 0);
    expect(await redis.get(epochKey(ann))).toBe(before?.split("@")[0]);
  });
});

test("caches nothing and stays correct where no script runs", async () => {
  const server = await startRedis({ settings: restricted("-@scripting") });
  const redis = new Redis(server.url);
  vi.stubEnv("REDIS_URL", server.url.replace("//", "//restricted:right@"));
  onTestFinished(async () => {
    await disconnect();
    redis.disconnect();
    await server.close();
  });
  const ann = crypto.randomUUID();
  expect(await readPermission(ann)).toBe(true);
  await redis.set(drainedKey, "1", "PX", 60_000);
  await redis.set(epochKey(ann), crypto.randomUUID());
  for (const now of [true, false, true, false]) {
    isAllowed = now;
    expect(await readPermission(ann)).toBe(now);
  }
  expect(cacheCounters).toEqual({ hit: 0, miss: 0, bypass: 5, recompute: 0 });
});

const quiet = await setUpRedis();
// Without the schedule, only reads apply the pending changes.
describe("the lease", () => {
  const { server, redis } = quiet;
  beforeEach(async () => {
    vi.stubEnv("REDIS_URL", server.url);
    await redis.flushall();
  });

  // The state after 8 s without a drain: the lease and the turn have ended, and earlier reads are done.
  async function endLease() {
    await redis.del(drainedKey, turnKey);
    dropPendingReads();
  }

  test("serves over 95 % of reads from the cache in a quiet hour with five users", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const people = Array.from({ length: 5 }, () => crypto.randomUUID());
    let views = 0;
    for (let passed = 0; passed < 3_540; views++) {
      const pause = 20 + ((views * 17) % 41);
      passed += pause;
      vi.setSystemTime(Date.now() + pause * 1000);
      await endLease();
      for (const _ of ["layout", "page"]) expect(await readPermission(people[(views * 3) % 5] ?? "")).toBe(true);
    }
    expect(views).toBeGreaterThan(80);
    expect(pending.readCount).toBe(views);
    expect(cacheCounters).toEqual({ hit: 2 * views - 5, miss: 5, bypass: 0, recompute: 0 });
    expect(cacheCounters.hit / (2 * views)).toBeGreaterThan(0.95);
  });

  test("processes pending changes when a read finds the lease expired, before the cache is used", async () => {
    const [ann, ben] = [crypto.randomUUID(), crypto.randomUUID()];
    await Promise.all([readPermission(ann), readPermission(ben)]);
    const before = await redis.mget(epochKey(ann), epochKey(ben));
    isAllowed = false;
    pending.changes = [{ id: 7, userId: ann }];
    await endLease();
    expect([await readPermission(ben), await readPermission(ann)]).toEqual([true, false]);
    const after = await redis.mget(epochKey(ann), epochKey(ben));
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true]);
    expect(pending.changes).toEqual([]);
    expect(await redis.pttl(drainedKey)).toSatisfy((left: number) => left > 7_000 && left <= 8_000);
    expect(info.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      { event: "permissions-invalidated", at: expect.any(String), by: "read", users: [ann] },
    ]);
  });

  test("runs one drain for reads of many users at once, and caches all of them", async () => {
    pending.readDelayMs = 50;
    const people = Array.from({ length: 20 }, () => crypto.randomUUID());
    await Promise.all(people.map(readPermission));
    expect(pending.readCount).toBe(1);
    expect(cacheCounters).toEqual({ hit: 0, miss: 20, bypass: 0, recompute: 0 });
  });

  test("reads without the cache while another instance has its turn, and drains nothing", async () => {
    const ann = crypto.randomUUID();
    await readPermission(ann);
    await redis.del(drainedKey);
    await redis.set(turnKey, "1", "PX", 60_000);
    isAllowed = false;
    expect(await readPermission(ann)).toBe(false);
    expect(cacheCounters).toMatchObject({ hit: 0, bypass: 1 });
    expect(pending.readCount).toBe(1);
    expect(await redis.exists(drainedKey)).toBe(0);
  });

  test("leaves the lease expired after a failed drain, logs it once, and retries after 5 s at the earliest", async () => {
    const ann = crypto.randomUUID();
    pending.isUnreachable = true;
    pending.changes = [{ id: 7, userId: ann }];
    for (let again = 0; again < 3; again++) await readPermission(ann);
    expect(cacheCounters).toEqual({ hit: 0, miss: 0, bypass: 3, recompute: 0 });
    expect([pending.readCount, errors.mock.calls.length]).toEqual([1, 1]);
    expect(await redis.exists(drainedKey)).toBe(0);
    expect(await redis.pttl(turnKey)).toSatisfy((left: number) => left > 4_000 && left <= 5_000);
    expect(pending.changes).toHaveLength(1);

    pending.isUnreachable = false;
    await redis.del(turnKey); // its turn ends
    await readPermission(ann);
    expect(cacheCounters).toMatchObject({ miss: 1, bypass: 3 });
    expect(pending.changes).toEqual([]);
  });

  test("waits half a second for a drain, whose late result serves later reads", async () => {
    const ann = crypto.randomUUID();
    pending.readDelayMs = 900;
    const beganAt = performance.now();
    await readPermission(ann);
    expect(performance.now() - beganAt).toBeGreaterThan(450);
    expect(await redis.exists(drainedKey)).toBe(0);
    expect(cacheCounters).toMatchObject({ miss: 0, bypass: 1 });
    await vi.waitFor(async () => expect(await redis.exists(drainedKey)).toBe(1), { timeout: 2_000 });
    await readPermission(ann);
    expect(cacheCounters).toMatchObject({ miss: 1, bypass: 1 });
    expect(pending.readCount).toBe(1);
  }, 10_000);

  test("drains and caches nothing while Redis is unreachable", async () => {
    await server.stop();
    try {
      await readPermission(crypto.randomUUID());
      expect(cacheCounters).toMatchObject({ miss: 0, bypass: 1 });
      expect(pending.readCount).toBe(0);
    } finally {
      await server.restart();
    }
  });

  test("finds the run of a server, none when it is hidden, and null when scripts can't ask", async () => {
    const runWhere = (reply: string) =>
      redis.eval(`local redis = { pcall = function() return ${reply} end } ${serverRun} return run`, 0);
    expect(await runWhere("'# Server\\r\\nredis_version:7.2.4\\r\\nrun_id:0a1b2c\\r\\nport:1'")).toBe("0a1b2c");
    expect(await runWhere("'# Server\\r\\nredis_version:7.2.4\\r\\n'")).toBe("");
    for (const refusal of [
      "NOPERM User restricted has no permissions to run the 'info' command",
      "ERR The user executing the script can't run this command or subcommand",
      "ERR Unknown Redis command called from script",
    ]) {
      expect(await runWhere(`{ err = "${refusal}" }`)).toBe("");
    }
    for (const refusal of [
      "ERR This Redis command is not allowed from script",
      "ERR This Valkey command is not allowed from script script: 0a1b2c, on @user_script:2.",
    ]) {
      expect(await runWhere(`{ err = "${refusal}" }`)).toBeNull();
    }
  });
});
