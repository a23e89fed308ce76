import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { POST } from "../../../app/api/permissions/revalidate/route.ts";

const state = vi.hoisted(() => ({ userId: null as string | null, redisIsAway: false, invalidated: [] as unknown[][] }));
vi.mock("next/cache", () => ({ revalidateTag: (...given: unknown[]) => void state.invalidated.push(given) }));
vi.mock("../../../lib/auth/get-session.ts", () => ({
  getSession: async () => (state.userId === null ? null : { userId: state.userId }),
}));
vi.mock("../../../lib/redis.ts", () => ({
  withRedis: async () => {
    if (state.redisIsAway) throw new Error("away");
    return [1, 60]; // the limit counts one; what renews epochs reads nothing of it
  },
}));

beforeAll(() => {
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
beforeEach(() => void Object.assign(state, { redisIsAway: false, invalidated: [] }));
afterAll(() => vi.restoreAllMocks());

const revalidate = () => POST(new Request("http://signet.test/api/permissions/revalidate", { method: "POST" }));

// Contract 4.6. With a profile such as "max" in the place of `{ expire: 0 }`, the old snapshot would be served once more.
test.each([
  [204, false],
  [503, true],
])("%i with Redis away: %s; the tag of the user expires at once", async (status, redisIsAway) => {
  Object.assign(state, { userId: "u1", redisIsAway });
  expect((await revalidate()).status).toBe(status);
  expect(state.invalidated).toEqual([["permissions-u1", { expire: 0 }]]);
});

test("204 without a user, and no tag is invalidated", async () => {
  state.userId = null;
  expect((await revalidate()).status).toBe(204);
  expect(state.invalidated).toEqual([]);
});
