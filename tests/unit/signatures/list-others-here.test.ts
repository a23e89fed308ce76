import { beforeEach, expect, test, vi } from "vitest";
import { listOthersHere } from "../../../lib/signatures/entry-state.ts";
import { setUpRedis } from "../../support/redis.ts";

const profiles = [
  { user_id: "jun", name: "Jun Park" },
  { user_id: "rosa", name: "Rosa Diaz" },
];
const profileRequests = vi.hoisted(() => ({ ids: [] as string[][] }));
vi.mock("../../../lib/supabase/admin.ts", () => ({
  createAdminClient: () => {
    const query = {
      select: () => query,
      in: async (_column: string, ids: string[]) => {
        profileRequests.ids.push(ids);
        const data = profiles.filter(({ user_id }) => ids.includes(user_id));
        return { data, error: null };
      },
    };
    return { from: () => query };
  },
}));

const { server, redis } = await setUpRedis();
process.env.REDIS_URL = server.url;
beforeEach(async () => {
  vi.useRealTimers();
  profileRequests.ids = [];
  await redis.flushall();
});

const key = "signatures:here:north/lakes:12";
const report = (actorId: string, line: number, sheet = 12, campaign = "lakes") =>
  listOthersHere({ team: "north", campaign, actorId, sheet, line });

test("lists the others on the sheet by line, at their current line, but never oneself", async () => {
  expect(await report("jun", 14)).toEqual([]);
  expect(profileRequests.ids).toEqual([]);
  expect(await report("rosa", 3)).toEqual([{ name: "Jun Park", line: 14 }]);
  await report("jun", 2);
  expect(await report("ada", 9)).toEqual([
    { name: "Jun Park", line: 2 },
    { name: "Rosa Diaz", line: 3 },
  ]);
  expect(await report("jun", 2)).toEqual([
    { name: "Rosa Diaz", line: 3 },
    { name: null, line: 9 }, // whose account was deleted
  ]);
});

test("lists no one of another sheet or campaign", async () => {
  await report("jun", 14);
  expect(await report("rosa", 3, 13)).toEqual([]);
  expect(await report("rosa", 3, 12, "rivers")).toEqual([]);
});

test("drops a clerk after 25 s without a report, and the sheet after 30 s", async () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now });
  await report("jun", 14);
  expect(await redis.ttl(key)).toBeGreaterThan(28);
  expect(await redis.ttl(key)).toBeLessThanOrEqual(30);
  vi.setSystemTime(now + 24_900);
  expect(await report("rosa", 3)).toHaveLength(1);
  vi.setSystemTime(now + 25_000);
  expect(await report("rosa", 3)).toEqual([]);
});

test("lists no one, without an error, when the key holds something else or Redis is unreachable", async () => {
  await redis.set(key, "no hash");
  expect(await report("rosa", 3)).toEqual([]);
  await redis.del(key);
  await redis.hset(key, "jun", "nonsense");
  expect(await report("rosa", 3)).toEqual([]);
  await redis.del(key);
  await report("jun", 14);
  await server.stop();
  expect(await report("rosa", 3)).toEqual([]);
  await server.restart();
  const backAgain = async () => {
    await report("jun", 14);
    expect(await report("rosa", 3)).toEqual([{ name: "Jun Park", line: 14 }]);
  };
  await vi.waitFor(backAgain, { timeout: 15_000 });
});
