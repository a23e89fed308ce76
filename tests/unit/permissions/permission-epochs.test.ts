import { Redis } from "ioredis";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  drainedKey,
  epochKey,
  markDrained,
  readClock,
  renewEpochs,
} from "../../../supabase/functions/_shared/permission-epochs.ts";
import { setUpRedis } from "../../support/redis.ts";

const { server, redis } = await setUpRedis();
beforeEach(() => redis.flushall());
afterEach(() => redis.config("SET", "maxmemory", "0"));

const epochsOf = (userIds: string[]) => redis.mget(userIds.map(epochKey));

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);

test("gives each user a new epoch that doesn't expire, and leaves others' alone", async () => {
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

test("throws when Redis is full, and changes no epoch", async () => {
  await renewEpochs(redis, ["ann"]);
  const before = await epochsOf(["ann", "ben"]);
  await redis.config("SET", "maxmemory-policy", "noeviction");
  await redis.config("SET", "maxmemory", "1");
  await expect(renewEpochs(redis, ["ann", "ben"])).rejects.toThrow(/OOM/);
  await expect(markDrained(redis, Date.now())).rejects.toThrow(/OOM/);
  expect(await epochsOf(["ann", "ben"])).toEqual(before);
  expect(await redis.exists(drainedKey)).toBe(0);
});

test("throws when a single epoch could not be written", async () => {
  const keys = ["ann", "cyd"].map((userId) => `~${epochKey(userId)}`);
  await redis.call("ACL", "SETUSER", "restricted", "on", "nopass", "+@all", ...keys);
  const restricted = new Redis(server.port, "127.0.0.1", { username: "restricted", password: "any" });
  try {
    await expect(renewEpochs(restricted, ["ann", "ben", "cyd"])).rejects.toThrow(/NOPERM/);
  } finally {
    restricted.disconnect();
  }
  expect(await epochsOf(["ann", "ben", "cyd"])).toEqual([uuid, null, uuid]);
});

test.each([0, 3_000, 7_500])("trusts a drain that took %i ms for the rest of 8000 ms", async (tookMs) => {
  const since = Date.now() - tookMs;
  await markDrained(redis, since);
  const leftMs = await redis.pttl(drainedKey);
  const elapsedMs = Date.now() - since;
  // The key ends 8000 ms after the drain began, at the latest, and not much earlier.
  expect(leftMs + tookMs).toBeLessThanOrEqual(8_000);
  expect(leftMs + elapsedMs).toBeGreaterThanOrEqual(8_000 - 5);
});

test("ignores a mark that arrives too late, and ends an earlier one", async () => {
  await markDrained(redis, Date.now() - 2_000);
  await markDrained(redis, Date.now() - 8_050);
  expect(await redis.exists(drainedKey)).toBe(0);
});

test("reads the clock of Redis, in ms", async () => {
  const before = Date.now();
  const clock = await readClock(redis);
  expect(clock).toBeGreaterThanOrEqual(before - 1);
  expect(clock).toBeLessThanOrEqual(Date.now() + 1);
});

test("writes up to 1000 at once", async () => {
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
