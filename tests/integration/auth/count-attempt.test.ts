import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { countAttempt } from "@/lib/auth/attempts";
import { setUpRedis } from "../../support/redis.ts";

const { server, redis } = await setUpRedis();
vi.stubEnv("REDIS_URL", server.url);
afterEach(() => {
  vi.useRealTimers();
});

const budget = { freeFailures: 2, firstBlockSeconds: 2, maxSeconds: 60, windowSeconds: 3_600 };
let keys = 0;
const newKey = () => `test:${++keys}`;

/** Counts an attempt; returns the seconds to wait, or 0 if it is allowed. */
const waitFor = (key: string) =>
  countAttempt(key, budget).then(
    () => 0,
    (error: { code: string; retryAfterSeconds: number }) =>
      error.code === "too-many-requests" ? error.retryAfterSeconds : -1,
  );

// Redis has its own clock, so the test deletes the end of the wait instead of moving time.
describe.each([
  ["in Redis", async () => undefined, (key: string) => redis.hdel(key, "opens")],
  [
    "in the process",
    async () => server.stop(),
    async (_key: string, seconds: number) => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1_000 });
    },
  ],
])("attempts counted %s", (_where, arrange, skipWait) => {
  beforeAll(arrange);

  it("after the free failures, block for 2, 4, 8 … and at most 60 s", async () => {
    const key = newKey();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(await waitFor(key)).toBe(0);
      const seconds = attempt < 2 ? 0 : await waitFor(key);
      if (attempt >= 2) waits.push(seconds);
      await skipWait(key, seconds);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it("don't include one that was undone, and its block ends", async () => {
    const key = newKey();
    for (let attempt = 0; attempt < 10; attempt += 1) await (await countAttempt(key, budget)).undo();
    await countAttempt(key, budget);
    await countAttempt(key, budget);
    const third = await countAttempt(key, budget);
    expect(await waitFor(key)).toBe(2);
    await third.undo();
    const again = await countAttempt(key, budget);
    expect(await waitFor(key)).toBe(2);
    await skipWait(key, 2);
    expect(await waitFor(key)).toBe(0);
    await again.undo(); // another attempt blocks since
    expect(await waitFor(key)).toBe(4);
  });

  it("are cleared by a success", async () => {
    const key = newKey();
    for (let attempt = 0; attempt < 3; attempt += 1) await (await countAttempt(key, budget)).clear();
    const [, , last] = [
      await countAttempt(key, budget),
      await countAttempt(key, budget),
      await countAttempt(key, budget),
    ];
    expect(await waitFor(key)).toBe(2);
    await last.clear();
    expect([await waitFor(key), await waitFor(key), await waitFor(key)]).toEqual([0, 0, 0]);
  });
});

it("counting starts over after the window", async () => {
  const key = newKey();
  for (let attempt = 0; attempt < 3; attempt += 1) await waitFor(key);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_601_000 });
  expect([await waitFor(key), await waitFor(key), await waitFor(key)]).toEqual([0, 0, 0]);
});

it("the process keeps the last 10,000 budgets and no more", async () => {
  const [old, ...later] = Array.from({ length: 10_001 }, newKey);
  for (const key of [old ?? "", old ?? "", old ?? ""]) await waitFor(key);
  expect(await waitFor(old ?? "")).toBe(2);
  for (const key of later) await waitFor(key);
  expect(await waitFor(old ?? "")).toBe(0);
}, 30_000);
