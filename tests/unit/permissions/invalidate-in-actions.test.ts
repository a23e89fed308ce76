import { beforeEach, expect, test, vi } from "vitest";
import { invalidatePermissions } from "../../../lib/permissions/invalidate.ts";
import { epochKey } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { pending } from "../../support/pending-changes.ts";
import { setUpRedis } from "../../support/redis.ts";

// What a server action does after its change, with a real Redis. `calls` has updated tags and Redis requests in order.

const calls = vi.hoisted(() => [] as string[]);
vi.mock("next/cache", () => ({ updateTag: (tag: string) => void calls.push(tag) }));
vi.mock("../../../lib/supabase/admin.ts", () => import("../../support/pending-changes.ts"));
vi.mock("../../../lib/redis.ts", async (original) => {
  const { withRedis } = await original<typeof import("../../../lib/redis.ts")>();
  return {
    withRedis: (...args: Parameters<typeof withRedis>) => {
      calls.push("asked Redis");
      return withRedis(...args);
    },
  };
});

const { server, redis } = await setUpRedis();
process.env.REDIS_URL = server.url;
const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
vi.spyOn(console, "info").mockImplementation(() => undefined);

const threeChanges = ["ann", "ben", "ann"].map((userId, id) => ({ id, userId }));
beforeEach(() => {
  pending.reset();
  pending.changes = threeChanges;
  calls.length = 0;
  errors.mockClear();
});

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const epochs = () => redis.mget(epochKey("ann"), epochKey("ben"));

test("updates the tag of each user once, before any request to Redis", async () => {
  expect(await invalidatePermissions()).toBe(true);
  expect(calls.slice(0, 3)).toEqual(["permissions-ann", "permissions-ben", "asked Redis"]);
  expect(calls.slice(3)).not.toContainEqual(expect.stringMatching(/^permissions-/));
  expect(await epochs()).toEqual([uuid, uuid]);
  expect(pending.changes).toEqual([]);
});

test("updates the tags without Redis, returns false, and leaves the changes pending", async () => {
  await server.stop();
  try {
    expect(await invalidatePermissions()).toBe(false);
    expect(calls).toEqual(["permissions-ann", "permissions-ben", "asked Redis"]);
    expect(pending.changes).toEqual(threeChanges);
    expect(errors).toHaveBeenCalledTimes(1);
  } finally {
    await server.restart();
  }
  await vi.waitFor(async () => expect(await invalidatePermissions()).toBe(true), { timeout: 3_000, interval: 50 });
  expect(await epochs()).toEqual([uuid, uuid]);
  expect(pending.changes).toEqual([]);
});

test("does the same with a Redis that can't write", async () => {
  await redis.config("SET", "maxmemory-policy", "noeviction", "maxmemory", "1");
  try {
    expect(await invalidatePermissions()).toBe(false);
    expect(calls.slice(0, 3)).toEqual(["permissions-ann", "permissions-ben", "asked Redis"]);
    expect(pending.changes).toEqual(threeChanges);
  } finally {
    await redis.config("SET", "maxmemory", "0");
  }
});

test("returns false without the database, and sends nothing to Redis", async () => {
  pending.isUnreachable = true;
  expect(await invalidatePermissions()).toBe(false);
  expect(calls).toEqual([]);
  expect(pending.changes).toEqual(threeChanges);
});

test("updates the tags of users beyond the first 20,000 changes once these are processed", async () => {
  pending.changes = Array.from({ length: 20_001 }, (_, index) => ({
    id: index,
    userId: index < 20_000 ? "ann" : "ben",
  }));
  expect(await invalidatePermissions()).toBe(true);
  expect(calls.filter((what) => what !== "asked Redis")).toEqual(["permissions-ann", "permissions-ben"]);
  expect(pending.changes).toEqual([]);
});
