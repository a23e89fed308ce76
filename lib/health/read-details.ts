import "server-only";
import { inspectRedis } from "@/lib/health/inspect-redis";
import { scheduleSchema } from "@/lib/health/schedule-schema";
import { withRedis } from "@/lib/redis";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { within } from "@/lib/supabase/within";
import { readLeaseAge } from "@/supabase/functions/_shared/permission-epochs";

const timeout = 2_000; // ms

/**
 * What an operator looks for, each null when it cannot be told within 2 s: the age of the lease on cached permissions in
 * seconds (null also while it is lapsed, as it is while nobody reads), how long the oldest notes have waited, the last run
 * of each job, and of Redis its version, what it evicts, and which of the commands that Signet needs it refuses.
 */
export async function readDetails() {
  const [leaseAge, schedule, store] = await Promise.all([
    orNull(async () => {
      const age = await withRedis(readLeaseAge, { within: timeout });
      return age === null ? null : Math.round(age);
    }),
    orNull(async () => {
      const state = await createAdminClient().rpc("schedule_state").abortSignal(AbortSignal.timeout(timeout));
      return scheduleSchema.parse(unwrap(state));
    }),
    orNull(() => inspectRedis((ask) => withRedis(ask, { within: timeout }))),
  ]);
  return { leaseAge, oldestNotes: schedule?.oldestNotes ?? null, jobs: schedule?.jobs ?? null, redisServer: store };
}

async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  return within(timeout, read()).catch(() => null);
}
