import "server-only";
import { publicEnv } from "@/lib/env";
import { inspectRedis, scheduleSchema } from "@/lib/health/inspect-redis";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";
import { createAdminClient } from "@/lib/supabase/admin";
import { callSql } from "@/lib/supabase/call-sql";
import { unwrap } from "@/lib/supabase/unwrap";
import { withTimeout } from "@/lib/supabase/with-timeout";
import { readLeaseAge } from "@/supabase/functions/_shared/permission-epochs";

const checkTimeoutMs = 2_000;
const maxAgeMs = 5_000;

type Health = { database: boolean; snapshotFunction: boolean; redis: boolean };

const known = processWide("health", () => ({ check: undefined as Promise<Health> | undefined, beganAt: 0 }));

/** Whether each part that Signet depends on responded recently. Public, so at most one check per 5 s. */
export function knownHealth(): Promise<Health> {
  if (!known.check || performance.now() - known.beganAt >= maxAgeMs) {
    known.beganAt = performance.now();
    known.check = checkHealth();
  }
  return known.check;
}

/** Whether each part that Signet depends on responds within 2 s. */
export async function checkHealth(): Promise<Health> {
  const [database, snapshotFunction, redis] = await Promise.all([
    responds(async () => {
      const query = createAdminClient().from("permission_keys").select("key").limit(1);
      unwrap(await query.abortSignal(AbortSignal.timeout(checkTimeoutMs)));
    }),
    responds(async () => {
      // The function itself returns 401 to a request without a token; anything else isn't from it.
      const address = `${publicEnv().supabaseUrl}/functions/v1/get-permissions-snapshot`;
      const { status } = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(checkTimeoutMs) });
      if (status !== 401) throw new Error(`The snapshot function returned ${status}.`);
    }),
    responds(() => withRedis((client) => client.ping())),
  ]);
  return { database, snapshotFunction, redis };
}

async function responds(ask: () => Promise<unknown>) {
  try {
    await withTimeout(checkTimeoutMs, ask());
    return true;
  } catch {
    return false;
  }
}

const detailsTimeoutMs = 2_000;

/**
 * Details for operators, each null if it isn't known after 2 s. The age of the lease on cached permissions is in seconds; it is
 * also null after the lease has expired because no one reads. The details of Redis include the needed commands that it refuses.
 */
export async function readDetails() {
  const [leaseAge, schedule, store] = await Promise.all([
    orNull(async () => {
      const age = await withRedis(readLeaseAge, { within: detailsTimeoutMs });
      return age === null ? null : Math.round(age);
    }),
    orNull(() => callSql("schedule_state", {}, scheduleSchema, { signal: AbortSignal.timeout(detailsTimeoutMs) })),
    orNull(() => inspectRedis((ask) => withRedis(ask, { within: detailsTimeoutMs }))),
  ]);
  return { leaseAge, oldestPending: schedule?.oldestPending ?? null, jobs: schedule?.jobs ?? null, redisServer: store };
}

async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  return withTimeout(detailsTimeoutMs, read()).catch(() => null);
}
