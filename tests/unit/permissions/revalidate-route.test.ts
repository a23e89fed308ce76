import { beforeEach, expect, test, vi } from "vitest";
import { POST } from "../../../app/api/permissions/revalidate/route.ts";

const state = vi.hoisted(() => ({ userId: null as string | null, isRedisDown: false, invalidated: [] as unknown[][] }));
vi.mock("next/cache", () => ({ revalidateTag: (...args: unknown[]) => void state.invalidated.push(args) }));
vi.mock("../../../lib/auth/get-session.ts", () => ({
  getSession: async () => (state.userId === null ? null : { userId: state.userId }),
}));
vi.mock("../../../lib/redis.ts", () => ({
  withRedis: async () => {
    if (state.isRedisDown) throw new Error("unreachable");
    return [1, 60]; // for the rate limit; renewing epochs ignores it
  },
}));

vi.spyOn(console, "info").mockImplementation(() => undefined);
vi.spyOn(console, "error").mockImplementation(() => undefined);
beforeEach(() => void Object.assign(state, { isRedisDown: false, invalidated: [] }));

const revalidate = () => POST(new Request("http://signet.test/api/permissions/revalidate", { method: "POST" }));

// Contract 4.6. With a profile such as "max" instead of `{ expire: 0 }`, the old snapshot would be served once more.
test.each([
  [204, false],
  [503, true],
])("returns %i, with Redis unreachable: %s, and expires the user's tag at once", async (status, isRedisDown) => {
  Object.assign(state, { userId: "u1", isRedisDown });
  expect((await revalidate()).status).toBe(status);
  expect(state.invalidated).toEqual([["permissions-u1", { expire: 0 }]]);
});

test("returns 204 without a user, and invalidates no tag", async () => {
  state.userId = null;
  expect((await revalidate()).status).toBe(204);
  expect(state.invalidated).toEqual([]);
});
