import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { withRedis } from "@/lib/redis";
import { epochKey } from "@/supabase/functions/_shared/permission-epochs";

// A missing epoch is made new. The run id of the server that answers goes with it: a Redis restored from an old dump
// brings back an old epoch, but never an old run.
const script = `
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  redis.call('SET', KEYS[1], ARGV[1], 'NX')
  epoch = redis.call('GET', KEYS[1])
end
return epoch .. '@' .. string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
`;

/**
 * The user's permission epoch with the run id of the Redis that holds it. Entries cached under another one are never
 * read again. Throws AppError `unavailable` when Redis is away.
 */
export async function readEpoch(userId: string): Promise<string> {
  return withRedis(async (redis) => z.string().parse(await redis.eval(script, 1, epochKey(userId), randomUUID())));
}
