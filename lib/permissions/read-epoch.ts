import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { renewLease } from "@/lib/permissions/invalidate";
import { connectionId, withRedis } from "@/lib/redis";
import { drainedKey, epochKey } from "@/supabase/functions/_shared/permission-epochs";
import { serverRun } from "@/supabase/functions/_shared/server-run";

// Creates a missing epoch. The server's run id is part of it: a Redis restored from an old dump has the old epoch, but
// never the old run id.
const script = `${serverRun}
local epoch = redis.call('GET', KEYS[1])
if not epoch then
  redis.call('SET', KEYS[1], ARGV[1], 'NX')
  epoch = redis.call('GET', KEYS[1])
end
return { epoch, run }
`;

/**
 * The user's permission epoch with the run id of its Redis, or with this process's connection where Redis doesn't report
 * one. Entries cached under another one are never read again. Null when nothing cached may be read: Redis is unreachable or
 * may have been restored from an old state, or pending changes could not be processed.
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
    // Two commands instead of one script: in a cluster the keys are on different nodes.
    const [reply, drained] = await Promise.all([
      redis.eval(script, 1, epochKey(userId), randomUUID()),
      redis.exists(drainedKey),
    ]);
    if (drained !== 1) return null;
    const [epoch, run] = replySchema.parse(reply);
    // After the reply: a connection made in the meantime is a different one.
    return `${epoch}@${run || connectionId(redis)}`;
  });
}
