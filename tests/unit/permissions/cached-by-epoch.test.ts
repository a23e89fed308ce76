import "next/dist/server/node-environment-baseline.js"; // before anything else of Next.js
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startRedis } from "../../../harness/redis-server.ts";
import { cacheCounters, cachedByEpoch } from "../../../lib/permissions/cached-by-epoch.ts";
import { readEpoch } from "../../../lib/permissions/read-epoch.ts";
import { processWide } from "../../../lib/process-wide.ts";
import { drainedKey, epochKey, renewEpochs } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { serverRun } from "../../../supabase/functions/_shared/server-run.ts";
import { startNextCache } from "../../support/next-cache.ts";
import { notes } from "../../support/permission-notes.ts";
import { startRedisProxy } from "../../support/redis-proxy.ts";

// What is cached is believed only under an epoch of the Redis that answers, and under a lease that reads themselves renew by
// carrying out the notes that wait. Redis and Next's cache are real, the table of notes is a list.

vi.mock("../../../lib/supabase/admin.ts", () => import("../../support/permission-notes.ts"));

const turnKey = "permissions:draining";
const narrow = (...rights: string[]) => ["--user", "narrow", "on", ">right", "~*", "&*", "+@all", ...rights];
const clientState = () => processWide("redis", () => ({ client: undefined as Redis | undefined, failure: undefined }));

let permitted = true;
const view = (userId: string) =>
  cachedByEpoch({ name: "test", userId, keyParts: ["test", userId], compute: async () => permitted });

const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
const told = vi.spyOn(console, "info").mockImplementation(() => undefined);
beforeAll(startNextCache);
beforeEach(() => {
  permitted = true;
  notes.reset();
  Object.assign(cacheCounters, { hit: 0, miss: 0, bypass: 0, recompute: 0 });
  vi.clearAllMocks();
});
afterAll(() => void vi.unstubAllEnvs());

const connect = (port: number) => {
  const client = new Redis(port, "127.0.0.1", { enableReadyCheck: false, retryStrategy: () => 20 });
  client.on("error", () => undefined);
  return client;
};
const land = () => processWide("permission-flights", () => new Map()).clear();

// Leaves no client of one server to the test of another one.
async function leave() {
  clientState().client?.disconnect();
  await vi.waitFor(() => expect(clientState().client).toBeUndefined());
}

// A Redis that comes back from an old state, with the rights that hosted ones give.
describe.each([
  { account: "an account that may call everything", settings: [], user: "" },
  { account: "an account without dangerous commands", settings: narrow("-@dangerous"), user: "narrow:right@" },
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
    await leave();
    redis.disconnect();
    proxy.close();
    await server.close();
  });

  // Reads until one is served from the cache: each has to say no.
  async function expectNoUntilCached(userId: string) {
    const hits = cacheCounters.hit;
    const answers: boolean[] = [];
    await vi.waitFor(
      async () => {
        land();
        answers.push(await view(userId));
        expect(cacheCounters.hit).toBeGreaterThan(hits);
      },
      { timeout: 10_000, interval: 30 },
    );
    expect(answers).not.toContain(true);
  }
  async function revoke(userId: string, on = redis) {
    permitted = false;
    await renewEpochs(on, [userId]);
    expect(await view(userId)).toBe(false);
  }

  test("a snapshot is cached until the epoch changes", async () => {
    const ann = crypto.randomUUID();
    for (let again = 0; again < 5; again++) expect(await view(ann)).toBe(true);
    expect(cacheCounters).toEqual({ hit: 4, miss: 1, bypass: 0, recompute: 0 });
    expect(notes.reads).toBe(1); // while the lease lasts
    await revoke(ann);
    await expectNoUntilCached(ann);
  });

  test.each(["younger", "older"])("a dump that is %s than the lease brings no old yes back", async (age) => {
    const ann = crypto.randomUUID();
    expect(await view(ann)).toBe(true);
    const epoch = await redis.get(epochKey(ann));
    if (age === "older") await redis.del(drainedKey, turnKey);
    await redis.save();
    await revoke(ann);

    await server.restart();
    expect(await redis.get(epochKey(ann))).toBe(epoch); // the old state is there
    expect(await redis.exists(drainedKey)).toBe(age === "younger" ? 1 : 0);
    await expectNoUntilCached(ann);
  });

  test("a replica that takes over and had missed a revoke brings no old yes back", async () => {
    const ann = crypto.randomUUID();
    expect(await view(ann)).toBe(true);
    const epoch = await redis.get(epochKey(ann));
    const second = await startRedis({ settings: [...settings, "--replicaof", "127.0.0.1", String(server.port)] });
    const replica = connect(second.port);
    try {
      await vi.waitFor(async () => expect(await replica.get(epochKey(ann))).toBe(epoch), { timeout: 10_000 });
      await replica.replicaof("NO", "ONE");
      await revoke(ann);
      expect(await replica.get(epochKey(ann))).toBe(epoch);

      proxy.target = second.port;
      proxy.become("close");
      proxy.become("pass");
      await server.stop();
      await expectNoUntilCached(ann);
      expect(await replica.get(epochKey(ann))).toBe(epoch);
    } finally {
      replica.disconnect();
      await second.close();
    }
  });

  test("a connection that was closed while unused costs what was cached at most", async () => {
    const ann = crypto.randomUUID();
    const before = await readEpoch(ann);
    proxy.become("close");
    proxy.become("pass");
    await vi.waitFor(async () => expect(await readEpoch(ann)).not.toBeNull(), { timeout: 4_000 });
    expect((await readEpoch(ann)) === before).toBe(settings.length === 0);
    expect(await redis.get(epochKey(ann))).toBe(before?.split("@")[0]);
  });
});

test("where no script runs, nothing is cached and all is right", async () => {
  const server = await startRedis({ settings: narrow("-@scripting") });
  const redis = new Redis(server.url);
  vi.stubEnv("REDIS_URL", server.url.replace("//", "//narrow:right@"));
  onTestFinished(async () => {
    await leave();
    redis.disconnect();
    await server.close();
  });
  const ann = crypto.randomUUID();
  expect(await view(ann)).toBe(true);
  await redis.set(drainedKey, "1", "PX", 60_000);
  await redis.set(epochKey(ann), crypto.randomUUID());
  for (const now of [true, false, true, false]) {
    permitted = now;
    expect(await view(ann)).toBe(now);
  }
  expect(cacheCounters).toEqual({ hit: 0, miss: 0, bypass: 5, recompute: 0 });
});

// No schedule: reads alone carry the notes out.
describe("the lease", () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = connect(server.port);
  }, 30_000);
  beforeEach(async () => {
    vi.stubEnv("REDIS_URL", server.url);
    await redis.flushall();
  });
  afterAll(async () => {
    redis?.disconnect();
    await server?.close();
  });

  // What 8 s without a drain do: the lease and the turn are over, and reads of before have landed.
  async function lapse() {
    await redis.del(drainedKey, turnKey);
    land();
  }

  test("in a quiet hour, a view each 20 to 60 s by five people, 95 % of the reads are hits", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const people = Array.from({ length: 5 }, () => crypto.randomUUID());
    let views = 0;
    for (let passed = 0; passed < 3_540; views++) {
      const pause = 20 + ((views * 17) % 41);
      passed += pause;
      vi.setSystemTime(Date.now() + pause * 1000);
      await lapse();
      for (const _ of ["layout", "page"]) expect(await view(people[(views * 3) % 5] ?? "")).toBe(true);
    }
    expect(views).toBeGreaterThan(80);
    expect(notes.reads).toBe(views);
    expect(cacheCounters).toEqual({ hit: 2 * views - 5, miss: 5, bypass: 0, recompute: 0 });
    expect(cacheCounters.hit / (2 * views)).toBeGreaterThan(0.95);
  });

  test("a read that finds the lease lapsed carries out what waits before anything cached is believed", async () => {
    const [ann, ben] = [crypto.randomUUID(), crypto.randomUUID()];
    await Promise.all([view(ann), view(ben)]);
    const before = await redis.mget(epochKey(ann), epochKey(ben));
    permitted = false;
    notes.waiting = [{ id: 7, userId: ann }];
    await lapse();
    expect([await view(ben), await view(ann)]).toEqual([true, false]);
    const after = await redis.mget(epochKey(ann), epochKey(ben));
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true]);
    expect(notes.waiting).toEqual([]);
    expect(await redis.pttl(drainedKey)).toSatisfy((left: number) => left > 7_000 && left <= 8_000);
    expect(told.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      { event: "permissions-invalidated", at: expect.any(String), by: "read", users: [ann] },
    ]);
  });

  test("reads at once, of many people, wait for one drain and are all cached", async () => {
    notes.answerAfter = 50;
    const people = Array.from({ length: 20 }, () => crypto.randomUUID());
    await Promise.all(people.map(view));
    expect(notes.reads).toBe(1);
    expect(cacheCounters).toEqual({ hit: 0, miss: 20, bypass: 0, recompute: 0 });
  });

  test("while another instance has the turn, a read is answered past the cache and drains nothing", async () => {
    const ann = crypto.randomUUID();
    await view(ann);
    await redis.del(drainedKey);
    await redis.set(turnKey, "1", "PX", 60_000);
    permitted = false;
    expect(await view(ann)).toBe(false);
    expect(cacheCounters).toMatchObject({ hit: 0, bypass: 1 });
    expect(notes.reads).toBe(1);
    expect(await redis.exists(drainedKey)).toBe(0);
  });

  test("a drain that fails leaves the lease lapsed, says so once, and is tried again after 5 s at the earliest", async () => {
    const ann = crypto.randomUUID();
    notes.fails = true;
    notes.waiting = [{ id: 7, userId: ann }];
    for (let again = 0; again < 3; again++) await view(ann);
    expect(cacheCounters).toEqual({ hit: 0, miss: 0, bypass: 3, recompute: 0 });
    expect([notes.reads, logged.mock.calls.length]).toEqual([1, 1]);
    expect(await redis.exists(drainedKey)).toBe(0);
    expect(await redis.pttl(turnKey)).toSatisfy((left: number) => left > 4_000 && left <= 5_000);
    expect(notes.waiting).toHaveLength(1);

    notes.fails = false;
    await redis.del(turnKey); // the turn has ended
    await view(ann);
    expect(cacheCounters).toMatchObject({ miss: 1, bypass: 3 });
    expect(notes.waiting).toEqual([]);
  });

  test("a read waits half a second for a drain and no longer; what the drain does then counts for later ones", async () => {
    const ann = crypto.randomUUID();
    notes.answerAfter = 900;
    const beganAt = performance.now();
    await view(ann);
    expect(performance.now() - beganAt).toBeGreaterThan(450);
    expect(await redis.exists(drainedKey)).toBe(0);
    expect(cacheCounters).toMatchObject({ miss: 0, bypass: 1 });
    await vi.waitFor(async () => expect(await redis.exists(drainedKey)).toBe(1), { timeout: 2_000 });
    await view(ann);
    expect(cacheCounters).toMatchObject({ miss: 1, bypass: 1 });
    expect(notes.reads).toBe(1);
  }, 10_000);

  test("while Redis is away nothing is drained and nothing cached", async () => {
    await server.stop();
    try {
      await view(crypto.randomUUID());
      expect(cacheCounters).toMatchObject({ miss: 0, bypass: 1 });
      expect(notes.reads).toBe(0);
    } finally {
      await server.restart();
    }
  });

  test("the run of a server is told, kept back, or beyond the reach of scripts", async () => {
    const runWhere = (answer: string) =>
      redis.eval(`local redis = { pcall = function() return ${answer} end } ${serverRun} return run`, 0);
    expect(await runWhere("'# Server\\r\\nredis_version:7.2.4\\r\\nrun_id:0a1b2c\\r\\nport:1'")).toBe("0a1b2c");
    expect(await runWhere("'# Server\\r\\nredis_version:7.2.4\\r\\n'")).toBe("");
    for (const refusal of [
      "NOPERM User narrow has no permissions to run the 'info' command",
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
