import { z } from "zod";

/** The needed part of a Redis client, which ioredis has for a server and a cluster. */
type Client = {
  info(): Promise<string>;
  eval(script: string, numberOfKeys: number, ...keys: string[]): Promise<unknown>;
};

/**
 * The version and eviction policy of a Redis, each null if hidden, and which of the commands that Signet needs
 * it refuses. `run` calls a function with the client, and throws if Redis doesn't respond.
 */
export async function inspectRedis(run: <Reply>(ask: (redis: Client) => Promise<Reply>) => Promise<Reply>) {
  // If INFO is refused, the rest is still known.
  const info = await run((redis) => redis.info()).catch(() => "");
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? null;
  const valkey = field("valkey_version");
  const refused = await Promise.all(
    families.map((family) =>
      run((redis) => redis.eval(tryScript, 2, `${family}:1`, `${family}:2`)).catch((error: unknown) => {
        if (error instanceof Error && error.name === "ReplyError") return ["EVAL"];
        throw error;
      }),
    ),
  );
  return {
    version: valkey === null ? field("redis_version") : `Valkey ${valkey}`,
    evictionPolicy: field("maxmemory_policy"),
    refuses: [...new Set(z.array(z.string()).parse(refused.flat()))],
  };
}

// One key of each kind, with an id that can't exist. The braces put both keys of a family in one cluster slot.
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

const seconds = z.number().transform(Math.round).nullable();
const runSchema = z.object({
  active: z.boolean(),
  ranAt: z.string().nullable(),
  status: z.string().nullable(),
  error: z.string().nullable(),
});

/** What the database function `schedule_state` returns. */
export const scheduleSchema = z.object({
  oldestPending: z.object({ permissions: seconds, signers: seconds }),
  jobs: z.record(z.string(), z.union([runSchema, z.literal("not scheduled")])),
});
