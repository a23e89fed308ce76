import "next/dist/server/node-environment-baseline.js"; // before anything else of Next.js
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { cacheCounters } from "../../../lib/permissions/cache-counters.ts";
import { cachedByEpoch } from "../../../lib/permissions/cached-by-epoch.ts";
import { processWide } from "../../../lib/process-wide.ts";
import { drainedKey, epochKey } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { startNextCache } from "../../support/next-cache.ts";
import { notes } from "../../support/permission-notes.ts";
import { startRedis } from "../../support/redis-server.ts";

// No schedule: what is cached is believed only because reads carry the notes out. Redis and Next's cache are real, the
// table of notes is a list.

const turnKey = "permissions:draining";

vi.mock("../../../lib/supabase/admin.ts", () => import("../../support/permission-notes.ts"));

let server: Awaited<ReturnType<typeof startRedis>>;
let redis: Redis;
const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
const told = vi.spyOn(console, "info").mockImplementation(() => undefined);

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.port, "127.0.0.1");
  vi.stubEnv("REDIS_URL", server.url);
  await startNextCache();
}, 30_000);
afterAll(async () => {
  redis?.disconnect();
  await server?.close();
  vi.unstubAllEnvs();
});

beforeEach(async () => {
  await redis.flushall();
  notes.reset();
  Object.assign(cacheCounters, { hit: 0, miss: 0, bypass: 0, recompute: 0 });
  vi.clearAllMocks();
});
afterEach(() => void vi.useRealTimers());

let permitted = true;
const view = (userId: string) =>
  cachedByEpoch({ name: "test", userId, keyParts: ["test", userId], compute: async () => permitted });
// What 8 s without a drain do: the lease and the turn are over, and reads of before have landed.
async function lapse() {
  await redis.del(drainedKey, turnKey);
  processWide("permission-flights", () => new Map()).clear();
}

test("in a quiet hour, a view each 20 to 60 s by five people, 95 % of the reads are hits", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
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
  try {
    expect([await view(ben), await view(ann)]).toEqual([true, false]);
  } finally {
    permitted = true;
  }
  const after = await redis.mget(epochKey(ann), epochKey(ben));
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true]);
  expect(notes.waiting).toEqual([]);
  expect(await redis.pttl(drainedKey)).toSatisfy((left: number) => left > 7_000 && left <= 8_000);
  expect(told.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
    { event: "permissions-invalidated", at: expect.any(String), by: "read", users: [ann] },
  ]);
});

test("while the lease lasts, no read asks the database", async () => {
  const ann = crypto.randomUUID();
  for (let again = 0; again < 3; again++) await view(ann);
  expect(notes.reads).toBe(1);
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
  try {
    expect(await view(ann)).toBe(false);
  } finally {
    permitted = true;
  }
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
  expect(performance.now() - beganAt).toSatisfy((took: number) => took > 450 && took < 850);
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
