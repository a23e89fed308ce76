import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { renewLease } from "@/lib/permissions/notes";
import { connectionId, withRedis } from "@/lib/redis";
import { drainedKey, epochKey } from "@/supabase/functions/_shared/permission-epochs";
import { serverRun } from "@/supabase/functions/_shared/server-run";

// A missing epoch is made new. The run of the server that answers goes with it: a Redis restored from an old dump brings
// back an old epoch, but never an old run.
const script = `${serverRun}
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  redis.call('SET', KEYS[1], ARGV[1], 'NX')
  epoch = redis.call('GET', KEYS[1])
end
return { epoch, run }
`;

/**
 * The user's permission epoch with the run of the Redis that holds it, or with this process's connection to it where the run
 * is not told. Entries cached under another one are never read again. Null when nothing cached may be read now: Redis is
 * away, nothing tells that it has not come back from an old state, or changes may be waiting that could not be carried out.
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

const replySchema = z.tuple([z.string(), z.string()]);

async function readUnderLease(userId: string): Promise<string | null> {
  return withRedis(async (redis) => {
    // Two commands and not one script: in a cluster the keys lie on different nodes.
    const [reply, drained] = await Promise.all([
      redis.eval(script, 1, epochKey(userId), randomUUID()),
      redis.exists(drainedKey),
    ]);
    if (drained !== 1) return null;
    const [epoch, run] = replySchema.parse(reply);
    // Asked after the reply: a connection that was made meanwhile is another one.
    return `${epoch}@${run || connectionId(redis)}`;
  });
}
