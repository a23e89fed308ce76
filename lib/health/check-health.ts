import "server-only";
import { publicEnv } from "@/lib/env";
import { processWide } from "@/lib/process-wide";
import { withRedis } from "@/lib/redis";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { within } from "@/lib/supabase/within";

const timeout = 2_000; // ms
const freshFor = 5_000; // ms

type Health = { database: boolean; snapshotFunction: boolean; redis: boolean };

const known = processWide("health", () => ({ check: undefined as Promise<Health> | undefined, beganAt: 0 }));

/** Whether each part that Signet stands on answered lately: for strangers, who cause one check in 5 s all together. */
export function knownHealth(): Promise<Health> {
  if (!known.check || performance.now() - known.beganAt >= freshFor) {
    known.beganAt = performance.now();
    known.check = checkHealth();
  }
  return known.check;
}

/** Whether each part that Signet stands on answers now, within 2 s. */
export async function checkHealth(): Promise<Health> {
  const [database, snapshotFunction, redis] = await Promise.all([
    answers(async () => {
      const query = createAdminClient().from("permission_keys").select("key").limit(1);
      unwrap(await query.abortSignal(AbortSignal.timeout(timeout)));
    }),
    answers(async () => {
      // Without a token: 401 is the function's own answer, anything else is somebody else's.
      const address = `${publicEnv().supabaseUrl}/functions/v1/get-permissions-snapshot`;
      const { status } = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(timeout) });
      if (status !== 401) throw new Error(`answered ${status}`);
    }),
    answers(() => withRedis((client) => client.ping())),
  ]);
  return { database, snapshotFunction, redis };
}

async function answers(ask: () => Promise<unknown>) {
  try {
    await within(timeout, ask());
    return true;
  } catch {
    return false;
  }
}
