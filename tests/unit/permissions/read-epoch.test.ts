import "next/dist/server/node-environment-baseline.js"; // before anything else of Next.js
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { cacheCounters } from "../../../lib/permissions/cache-counters.ts";
import { cachedByEpoch } from "../../../lib/permissions/cached-by-epoch.ts";
import { readEpoch } from "../../../lib/permissions/read-epoch.ts";
import { processWide } from "../../../lib/process-wide.ts";
import { drainedKey, epochKey, renewEpochs } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { serverRun } from "../../../supabase/functions/_shared/server-run.ts";
import { startNextCache } from "../../support/next-cache.ts";
import { notes } from "../../support/permission-notes.ts";
import { startRedisProxy } from "../../support/redis-proxy.ts";
import { startRedis } from "../../support/redis-server.ts";

// Redis comes back from an old state, with the rights that hosted ones give, and nothing that was cached in it may be
// believed again. Redis and Next's cache are real, the table of notes is a list.

vi.mock("../../../lib/supabase/admin.ts", () => import("../../support/permission-notes.ts"));

const narrow = (...rights: string[]) => ["--user", "narrow", "on", ">right", "~*", "&*", "+@all", ...rights];
const clientState = () => processWide("redis", () => ({ client: undefined as Redis | undefined, failure: undefined }));

let permitted = true;
const view = (userId: string) =>
  cachedByEpoch({ name: "test", userId, keyParts: ["test", userId], compute: async () => permitted });

beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  await startNextCache();
});
beforeEach(() => {
  permitted = true;
  notes.reset();
  Object.assign(cacheCounters, { hit: 0, miss: 0, bypass: 0, recompute: 0 });
});
afterAll(() => void vi.unstubAllEnvs());

// Leaves no client of one server to the test of another one.
async function leave() {
  clientState().client?.disconnect();
  await vi.waitFor(() => expect(clientState().client).toBeUndefined());
}

describe.each([
  { account: "an account that may call everything", settings: [], user: "" },
  { account: "an account without dangerous commands", settings: narrow("-@dangerous"), user: "narrow:right@" },
  { account: "a server that has no INFO", settings: ["--rename-command", "INFO", ""], user: "" },
])("for $account", ({ settings, user }) => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let proxy: Awaited<ReturnType<typeof startRedisProxy>>;
  let redis: Redis;
  const connect = (port: number) => {
    const client = new Redis(port, "127.0.0.1", { enableReadyCheck: false, retryStrategy: () => 20 });
    client.on("error", () => undefined);
    return client;
  };

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

  // Reads until one is served from the cache, at most 4 s: each has to say no.
  async function expectNoUntilCached(userId: string) {
    const hits = cacheCounters.hit;
    await vi.waitFor(
      async () => {
        processWide("permission-flights", () => new Map()).clear();
        if (await view(userId)) throw new Error("A revoked yes came back.");
        expect(cacheCounters.hit).toBeGreaterThan(hits);
      },
      { timeout: 4_000, interval: 30 },
    );
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
    await revoke(ann);
    await expectNoUntilCached(ann);
  });

  test.each(["younger", "older"])("a dump that is %s than the lease brings no old yes back", async (age) => {
    const ann = crypto.randomUUID();
    expect(await view(ann)).toBe(true);
    const epoch = await redis.get(epochKey(ann));
    if (age === "older") await redis.del(drainedKey, "permissions:draining");
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
  const ann = crypto.randomUUID();
  try {
    expect(await view(ann)).toBe(true);
    await redis.set(drainedKey, "1", "PX", 60_000);
    await redis.set(epochKey(ann), crypto.randomUUID());
    for (const now of [true, false, true, false]) {
      permitted = now;
      expect(await view(ann)).toBe(now);
    }
    expect(cacheCounters).toEqual({ hit: 0, miss: 0, bypass: 5, recompute: 0 });
  } finally {
    await leave();
    redis.disconnect();
    await server.close();
  }
});

test("the run of a server is told, kept back, or beyond the reach of scripts", async () => {
  const server = await startRedis();
  const redis = new Redis(server.url);
  const runWhere = (answer: string) =>
    redis.eval(`local redis = { pcall = function() return ${answer} end } ${serverRun} return run`, 0);
  try {
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
  } finally {
    redis.disconnect();
    await server.close();
  }
});
