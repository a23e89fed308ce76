import "server-only";
import { z } from "zod";
import { withRedis } from "@/lib/redis";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { within } from "@/lib/supabase/within";
import { readLeaseAge } from "@/supabase/functions/_shared/permission-epochs";

const timeout = 2_000; // ms

const seconds = z.number().transform(Math.round).nullable();
const runSchema = z.object({
  active: z.boolean(),
  ranAt: z.string().nullable(),
  status: z.string().nullable(),
  error: z.string().nullable(),
});
const scheduleSchema = z.object({
  oldestNotes: z.object({ permissions: seconds, signers: seconds }),
  jobs: z.record(z.string(), z.union([runSchema, z.literal("not scheduled")])),
});
const storeSchema = z.object({
  version: z.string().nullable(),
  evictionPolicy: z.string().nullable(),
  refuses: z.array(z.string()),
});

/**
 * What an operator looks for, each null when it cannot be told within 2 s: the age of the lease on cached permissions in
 * seconds (null also while it is lapsed, as it is while nobody reads), how long the oldest notes have waited, the last run
 * of each job, and of Redis its version, what it evicts, and which of the commands that Signet needs it refuses.
 */
export async function readDetails() {
  const [leaseAge, schedule, store] = await Promise.all([
    orNull(async () => seconds.parse(await withRedis(readLeaseAge, { within: timeout }))),
    orNull(async () => {
      const state = await createAdminClient().rpc("schedule_state").abortSignal(AbortSignal.timeout(timeout));
      return scheduleSchema.parse(unwrap(state));
    }),
    orNull(readStore),
  ]);
  return { leaseAge, oldestNotes: schedule?.oldestNotes ?? null, jobs: schedule?.jobs ?? null, redisServer: store };
}

async function readStore() {
  // Where it is refused, the rest can be told.
  const info = await withRedis((redis) => redis.info(), { within: timeout }).catch(() => "");
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? null;
  const valkey = field("valkey_version");
  const refused = await Promise.all(
    families.map((family) =>
      withRedis((redis) => redis.eval(tryScript, 2, `${family}:1`, `${family}:2`), { within: timeout }).catch(
        (error: unknown) => {
          if (error instanceof Error && error.name === "ReplyError") return ["EVAL"];
          throw error;
        },
      ),
    ),
  );
  return storeSchema.parse({
    version: valkey === null ? field("redis_version") : `Valkey ${valkey}`,
    evictionPolicy: field("maxmemory_policy"),
    refuses: [...new Set(refused.flat())],
  });
}

// A key of each kind, which no id can have. In braces is what puts the two of a family into one slot of a cluster.
const families = ["permissions:epoch", "rate", "attempts", "refused-place", "signatures:here", "campaign"]
  .map((prefix) => `${prefix}:{health}`)
  .concat("{campaign:{health}:signers");

// Commands that do what they say in this order, so that any error is a refusal.
const tryScript = `
local refused = {}
local function try(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then table.insert(refused, ({...})[1]) end
end
local one, two = KEYS[1], KEYS[2]
try('TIME')
try('SET', one, '1', 'PX', '10000')
for _, command in ipairs({ 'GET', 'INCR', 'EXISTS', 'TTL', 'TYPE', 'DEL' }) do try(command, one) end
try('HSET', one, 'field', '1')
for _, command in ipairs({ 'HGET', 'HMGET', 'HDEL' }) do try(command, one, 'field') end
try('HINCRBY', one, 'field', '1')
try('HGETALL', one)
for _, command in ipairs({ 'EXPIRE', 'PEXPIRE' }) do try(command, one, '10000') end
try('PEXPIREAT', one, '1')
for _, command in ipairs({ 'SADD', 'SISMEMBER', 'SMISMEMBER', 'SREM', 'SADD' }) do try(command, one, 'member') end
try('SCARD', one)
try('RENAME', one, two)
try('PERSIST', two)
try('SPOP', two, '1')
try('UNLINK', two)
return refused
`;

async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  return within(timeout, read()).catch(() => null);
}
