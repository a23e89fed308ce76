import type { Redis } from "ioredis";
import { afterEach, expect, test, vi } from "vitest";
import { readDetails } from "../../../lib/health/health.ts";
import { processWide } from "../../../lib/process-wide.ts";
import { withRedis } from "../../../lib/redis.ts";
import { markDrained, readClock } from "../../../supabase/functions/_shared/permission-epochs.ts";
import { setUpRedis } from "../../support/redis.ts";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";

const [database, { server, redis }] = await Promise.all([setUpTestDatabase(), setUpRedis()]);
setUpEnv({ ...(await database.serve()), REDIS_URL: server.url });
const state = processWide("redis", () => ({ client: undefined as Redis | undefined, failure: undefined as unknown }));
afterEach(() => {
  state.client?.disconnect();
  Object.assign(state, { client: undefined, connecting: undefined, failure: undefined });
});

const connected = () => vi.waitFor(() => withRedis((client) => client.ping()), { timeout: 5_000 });

test("it reports the lease, how long pending changes have waited, the jobs and the store", async () => {
  await database.sql(
    "insert into public.permission_changes (user_id, created_at) values ($1, now() - interval '1 hour')",
    [crypto.randomUUID()],
  );
  // A busy machine answers some requests late, mostly the first ones.
  await vi.waitFor(
    async () => {
      await markDrained(redis, (await readClock(redis)) - 3_000);
      expect(await readDetails()).toEqual({
        leaseAge: expect.toSatisfy((seconds: number) => seconds >= 3 && seconds < 8),
        oldestPending: {
          permissions: expect.toSatisfy((seconds: number) => seconds >= 3_600 && seconds < 3_660),
          signers: null,
        },
        jobs: expect.objectContaining({ "sync-signers": "not scheduled" }),
        redisServer: {
          version: expect.stringMatching(/^(Valkey )?\d+\.\d+/),
          evictionPolicy: "noeviction",
          refuses: [],
        },
      });
    },
    { timeout: 20_000 },
  );
  await redis.flushall();
  expect((await readDetails()).leaseAge).toBe(null);
  expect(await redis.keys("*")).toEqual([]); // the probes leave nothing
});

test.each([
  ["without dangerous commands", "-@dangerous", { version: null, evictionPolicy: null, refuses: [] }],
  ["that evicts and may not rename", "-rename", { evictionPolicy: "allkeys-lru", refuses: ["RENAME"] }],
  ["without scripts", "-@scripting", { refuses: ["EVAL"] }],
  [
    "without the keys of the sets",
    "resetkeys ~permissions:* ~rate:* ~attempts:* ~refused-place:* ~signatures:*",
    {
      refuses: expect.arrayContaining(["EVAL"]),
    },
  ],
])("it reports what a Redis %s refuses", async (_, rights, store) => {
  await redis.call("ACL", "SETUSER", "limited", "reset", "on", ">secret", "~*", "+@all", ...rights.split(" "));
  await redis.config("SET", "maxmemory-policy", rights === "-rename" ? "allkeys-lru" : "noeviction");
  vi.stubEnv("REDIS_URL", server.url.replace("//", "//limited:secret@"));
  await connected();
  expect((await readDetails()).redisServer).toMatchObject(store);
});

test("what is unknown is null, within 3 s", async () => {
  vi.stubEnv("REDIS_URL", "redis://127.0.0.1:1");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "http://127.0.0.1:1");
  const began = performance.now();
  expect(await readDetails()).toEqual({ leaseAge: null, oldestPending: null, jobs: null, redisServer: null });
  expect(performance.now() - began).toBeLessThan(3_000);
});
