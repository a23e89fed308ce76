import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startRedis } from "../../../harness/redis-server.ts";
import { invalidatePermissions } from "../../../lib/permissions/invalidate.ts";
import { epochKey } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { notes } from "../../support/permission-notes.ts";

// What a server action does after its change. Redis is real; in order, which tags were updated and when Redis was asked.

const done = vi.hoisted(() => [] as string[]);
vi.mock("next/cache", () => ({ updateTag: (tag: string) => void done.push(tag) }));
vi.mock("../../../lib/supabase/admin.ts", () => import("../../support/permission-notes.ts"));
vi.mock("../../../lib/redis.ts", async (original) => {
  const { withRedis } = await original<typeof import("../../../lib/redis.ts")>();
  return {
    withRedis: (...given: Parameters<typeof withRedis>) => {
      done.push("asked Redis");
      return withRedis(...given);
    },
  };
});

let server: Awaited<ReturnType<typeof startRedis>>;
let redis: Redis;
const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
vi.spyOn(console, "info").mockImplementation(() => undefined);

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  redis.on("error", () => undefined);
  vi.stubEnv("REDIS_URL", server.url);
}, 30_000);
afterAll(async () => {
  redis?.disconnect();
  await server?.close();
  vi.unstubAllEnvs();
});

const threeNotes = ["ann", "ben", "ann"].map((userId, id) => ({ id, userId }));
beforeEach(() => {
  notes.reset();
  notes.waiting = threeNotes;
  done.length = 0;
  logged.mockClear();
});

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
const epochs = () => redis.mget(epochKey("ann"), epochKey("ben"));

test("the tag of each user whom a note names is updated, once and before Redis is asked for anything", async () => {
  expect(await invalidatePermissions()).toBe(true);
  expect(done.slice(0, 3)).toEqual(["permissions-ann", "permissions-ben", "asked Redis"]);
  expect(done.slice(3)).not.toContainEqual(expect.stringMatching(/^permissions-/));
  expect(await epochs()).toEqual([uuid, uuid]);
  expect(notes.waiting).toEqual([]);
});

test("with Redis away the tags are updated all the same, the answer is false, and the notes wait", async () => {
  await server.stop();
  try {
    expect(await invalidatePermissions()).toBe(false);
    expect(done).toEqual(["permissions-ann", "permissions-ben", "asked Redis"]);
    expect(notes.waiting).toEqual(threeNotes);
    expect(logged).toHaveBeenCalledTimes(1);
  } finally {
    await server.restart();
  }
  await vi.waitFor(async () => expect(await invalidatePermissions()).toBe(true), { timeout: 3_000, interval: 50 });
  expect(await epochs()).toEqual([uuid, uuid]);
  expect(notes.waiting).toEqual([]);
});

test("with a Redis that writes nothing, the same", async () => {
  await redis.config("SET", "maxmemory-policy", "noeviction", "maxmemory", "1");
  try {
    expect(await invalidatePermissions()).toBe(false);
    expect(done.slice(0, 3)).toEqual(["permissions-ann", "permissions-ben", "asked Redis"]);
    expect(notes.waiting).toEqual(threeNotes);
  } finally {
    await redis.config("SET", "maxmemory", "0");
  }
});

test("with the database away the answer is false, and Redis is not asked", async () => {
  notes.fails = true;
  expect(await invalidatePermissions()).toBe(false);
  expect(done).toEqual([]);
  expect(notes.waiting).toEqual(threeNotes);
});

test("users of notes past the first 20 000 get their tag updated as these are carried out", async () => {
  notes.waiting = Array.from({ length: 20_001 }, (_, index) => ({ id: index, userId: index < 20_000 ? "ann" : "ben" }));
  expect(await invalidatePermissions()).toBe(true);
  expect(done.filter((what) => what !== "asked Redis")).toEqual(["permissions-ann", "permissions-ben"]);
  expect(notes.waiting).toEqual([]);
});
