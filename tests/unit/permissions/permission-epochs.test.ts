import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  drainedKey,
  epochKey,
  markDrained,
  readClock,
  renewEpochs,
} from "../../../supabase/functions/_shared/permission-epochs.ts";
import { startRedis } from "../../support/redis-server.ts";

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

test("the epoch of a user lies under her id", () => {
  expect(epochKey("ann")).toBe("permissions:epoch:ann");
});

test("each user gets an epoch that nobody ever had", async () => {
  const userIds = Array.from({ length: 50 }, (_, number) => `user-${number}`);
  const seen = new Set<string | null>([null]);
  for (let round = 1; round <= 4; round++) {
    await renewEpochs(redis, userIds);
    for (const epoch of await epochsOf(userIds)) seen.add(epoch);
    expect(seen.size).toBe(1 + round * userIds.length);
  }
  expect(await redis.dbsize()).toBe(userIds.length);
});

test("epochs last until they are renewed, and others stay as they are", async () => {
  await renewEpochs(redis, ["ann", "ben"]);
  const [ann, ben] = await epochsOf(["ann", "ben"]);
  await renewEpochs(redis, ["ann"]);
  const [annNow, benNow] = await epochsOf(["ann", "ben"]);
  expect(annNow).not.toBe(ann);
  expect(benNow).toBe(ben);
  expect(await redis.pttl(epochKey("ann"))).toBe(-1);
});

test("nobody to renew is no failure", async () => {
  await renewEpochs(redis, []);
  expect(await redis.dbsize()).toBe(0);
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

test.each([
  ["first", ["ben", "ann", "cyd"]],
  ["in the middle", ["ann", "ben", "cyd"]],
  ["last", ["ann", "cyd", "ben"]],
])("it throws when a single one could not be written, %s of them", async (_, userIds) => {
  await redis.call("ACL", "SETUSER", "narrow", "on", "nopass", "+@all", `~${epochKey("ann")}`, `~${epochKey("cyd")}`);
  const narrow = new Redis(server.port, "127.0.0.1", { username: "narrow", password: "any" });
  try {
    await expect(renewEpochs(narrow, userIds)).rejects.toThrow(/NOPERM/);
  } finally {
    narrow.disconnect();
  }
  const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(await epochsOf(["ann", "ben", "cyd"])).toEqual([uuid, null, uuid]);
});

test.each([0, 1, 3_000, 7_500])("a drain that took %i ms is trusted for what is left of 8000 ms", async (took) => {
  const since = Date.now() - took;
  await markDrained(redis, since);
  const left = await redis.pttl(drainedKey);
  const elapsed = Date.now() - since;
  // The key ends 8000 ms after the drain began, at the latest, and not much earlier.
  expect(left + took).toBeLessThanOrEqual(8_000);
  expect(left + elapsed).toBeGreaterThanOrEqual(8_000 - 5);
});

test.each([8_050, 60_000])("a drain that took %i ms marks nothing", async (took) => {
  await markDrained(redis, Date.now() - took);
  expect(await redis.exists(drainedKey)).toBe(0);
});

test("a mark that arrives too late counts for nothing, however late Redis carries it out", async () => {
  await markDrained(redis, Date.now() - 2_000);
  await markDrained(redis, Date.now() - 9_000);
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
  const counted = {
    eval: redis.eval.bind(redis),
    async set(key: string, value: string) {
      running += 1;
      most = Math.max(most, running);
      const reply = await redis.set(key, value);
      running -= 1;
      return reply;
    },
  };
  const userIds = Array.from({ length: 2_500 }, (_, number) => `user-${number}`);
  await renewEpochs(counted, userIds);
  expect(most).toBe(1_000);
  expect(await redis.dbsize()).toBe(2_500);
  expect(new Set(await epochsOf(userIds)).size).toBe(2_500);
});

test("both throw when Redis is gone", async () => {
  const { port, close } = await startRedis();
  const client = new Redis(port, "127.0.0.1");
  client.on("error", () => undefined);
  await client.ping();
  client.options.retryStrategy = () => null;
  await close();
  await expect(renewEpochs(client, ["ann"])).rejects.toThrow();
  await expect(markDrained(client, Date.now())).rejects.toThrow();
});
