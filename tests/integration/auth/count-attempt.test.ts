import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { countAttempt } from "@/lib/auth/attempts";
import { setUpRedis } from "../../support/redis.ts";

const { server, redis } = await setUpRedis();
vi.stubEnv("REDIS_URL", server.url);
afterEach(() => {
  vi.useRealTimers();
});

const budget = { free: 2, firstSeconds: 2, maxSeconds: 60, windowSeconds: 3_600 };
let keys = 0;
const newKey = () => `test:${++keys}`;

/** Counts an attempt; gives the seconds to wait, or 0 when it may be tried. */
const waitFor = (key: string) =>
  countAttempt(key, budget).then(
    () => 0,
    (error: { code: string; retryAfter: number }) => (error.code === "too-many-requests" ? error.retryAfter : -1),
  );

// Redis has a clock of its own, so its time passes by taking the end of the wait away.
describe.each([
  ["in Redis", async () => undefined, (key: string) => redis.hdel(key, "opens")],
  [
    "in the process",
    async () => server.stop(),
    async (_key: string, seconds: number) => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1_000 });
    },
  ],
])("a budget counted %s", (_where, arrange, pass) => {
  beforeAll(arrange);

  it("closes after the free failures for 2, 4, 8 … at most 60 s, and never for longer", async () => {
    const key = newKey();
    const waits: number[] = [];
    for (let number = 0; number < 10; number += 1) {
      expect(await waitFor(key)).toBe(0);
      const seconds = number < 2 ? 0 : await waitFor(key);
      if (number >= 2) waits.push(seconds);
      await pass(key, seconds);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it("counts an attempt that was no failure no longer, and opens what that one closed", async () => {
    const key = newKey();
    for (let number = 0; number < 10; number += 1) await (await countAttempt(key, budget)).undo();
    await countAttempt(key, budget);
    await countAttempt(key, budget);
    const third = await countAttempt(key, budget);
    expect(await waitFor(key)).toBe(2);
    await third.undo();
    const again = await countAttempt(key, budget);
    expect(await waitFor(key)).toBe(2);
    await pass(key, 2);
    expect(await waitFor(key)).toBe(0);
    await again.undo(); // by now another one has closed it
    expect(await waitFor(key)).toBe(4);
  });

  it("forgets all of them after a success", async () => {
    const key = newKey();
    for (let number = 0; number < 3; number += 1) await (await countAttempt(key, budget)).clear();
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

it("begins anew after the window", async () => {
  const key = newKey();
  for (let number = 0; number < 3; number += 1) await waitFor(key);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_601_000 });
  expect([await waitFor(key), await waitFor(key), await waitFor(key)]).toEqual([0, 0, 0]);
});

it("holds the last 10 000 budgets in the process and no more", async () => {
  const [old, ...later] = Array.from({ length: 10_001 }, newKey);
  for (const key of [old ?? "", old ?? "", old ?? ""]) await waitFor(key);
  expect(await waitFor(old ?? "")).toBe(2);
  for (const key of later) await waitFor(key);
  expect(await waitFor(old ?? "")).toBe(0);
}, 30_000);
