import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startRedis } from "../../../harness/redis-server.ts";
import {
  drainedKey,
  epochKey,
  markDrained,
  readClock,
  renewEpochs,
} from "../../../supabase/functions/_shared/permission-epochs.ts";

let server: Awaited<ReturnType<typeof startRedis>>;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.port, "127.0.0.1");
}, 30_000);
afterAll(async () => {
  redis?.disconnect();
  await server?.close();
});

beforeEach(() => redis.flushall());
afterEach(() => redis.config("SET", "maxmemory", "0"));

const epochsOf = (userIds: string[]) => redis.mget(userIds.map(epochKey));

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

test("each user gets an epoch that nobody ever had and that lasts; others keep theirs", async () => {
  const userIds = Array.from({ length: 50 }, (_, number) => `user-${number}`);
  await renewEpochs(redis, ["ann"]);
  const ann = await redis.get("permissions:epoch:ann");
  expect(ann).toEqual(uuid);
  const seen = new Set<string | null>([null, ann]);
  for (let round = 1; round <= 4; round++) {
    await renewEpochs(redis, userIds);
    for (const epoch of await epochsOf(userIds)) seen.add(epoch);
    expect(seen.size).toBe(2 + round * userIds.length);
  }
  expect(await epochsOf(["ann"])).toEqual([ann]);
  expect(await redis.pttl(epochKey("ann"))).toBe(-1);
  await renewEpochs(redis, []);
  expect(await redis.dbsize()).toBe(1 + userIds.length);
});

test("it throws when Redis is full, and the epochs stay as they were", async () => {
  await renewEpochs(redis, ["ann"]);
  const before = await epochsOf(["ann", "ben"]);
  await redis.config("SET", "maxmemory-policy", "noeviction");
  await redis.config("SET", "maxmemory", "1");
  await expect(renewEpochs(redis, ["ann", "ben"])).rejects.toThrow(/OOM/);
  await expect(markDrained(redis, Date.now())).rejects.toThrow(/OOM/);
  expect(await epochsOf(["ann", "ben"])).toEqual(before);
  expect(await redis.exists(drainedKey)).toBe(0);
});

test("it throws when a single one could not be written", async () => {
  await redis.call("ACL", "SETUSER", "narrow", "on", "nopass", "+@all", `~${epochKey("ann")}`, `~${epochKey("cyd")}`);
  const narrow = new Redis(server.port, "127.0.0.1", { username: "narrow", password: "any" });
  try {
    await expect(renewEpochs(narrow, ["ann", "ben", "cyd"])).rejects.toThrow(/NOPERM/);
  } finally {
    narrow.disconnect();
  }
  expect(await epochsOf(["ann", "ben", "cyd"])).toEqual([uuid, null, uuid]);
});

test.each([0, 3_000, 7_500])("a drain that took %i ms is trusted for what is left of 8000 ms", async (took) => {
  const since = Date.now() - took;
  await markDrained(redis, since);
  const left = await redis.pttl(drainedKey);
  const elapsed = Date.now() - since;
  // The key ends 8000 ms after the drain began, at the latest, and not much earlier.
  expect(left + took).toBeLessThanOrEqual(8_000);
  expect(left + elapsed).toBeGreaterThanOrEqual(8_000 - 5);
});

test("a mark that arrives too late counts for nothing, and ends an earlier one", async () => {
  await markDrained(redis, Date.now() - 2_000);
  await markDrained(redis, Date.now() - 8_050);
  expect(await redis.exists(drainedKey)).toBe(0);
});

test("the clock is that of Redis, in ms", async () => {
  const before = Date.now();
  const clock = await readClock(redis);
  expect(clock).toBeGreaterThanOrEqual(before - 1);
  expect(clock).toBeLessThanOrEqual(Date.now() + 1);
});

test("they do not wait for each other, 1000 at once", async () => {
  let running = 0;
  let most = 0;
  const set = async (key: string, value: string) => {
    most = Math.max(most, ++running);
    await redis.set(key, value);
    running -= 1;
  };
  const userIds = Array.from({ length: 2_500 }, (_, number) => `user-${number}`);
  await renewEpochs({ eval: redis.eval.bind(redis), set }, userIds);
  expect(most).toBe(1_000);
  expect(new Set(await epochsOf(userIds)).size).toBe(2_500);
});
