import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { renewLease } from "@/lib/permissions/renew-lease";
import { withRedis } from "@/lib/redis";
import { drainedKey, epochKey } from "@/supabase/functions/_shared/permission-epochs";

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
 * read again. Null when nothing cached may be read now: Redis is away, or changes may be waiting that could not be carried out.
 */
export async function readEpoch(userId: string): Promise<string | null> {
  try {
    const epoch = await readUnderLease(userId);
    if (epoch !== null) return epoch;
    await renewLease();
    return await readUnderLease(userId);
  } catch {
    return null;
  }
}

async function readUnderLease(userId: string): Promise<string | null> {
  // Two commands and not one script: in a cluster the keys lie on different nodes.
  const [epoch, drained] = await withRedis((redis) =>
    Promise.all([redis.eval(script, 1, epochKey(userId), randomUUID()), redis.exists(drainedKey)]),
  );
  return drained === 1 ? z.string().parse(epoch) : null;
}
