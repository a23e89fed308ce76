import "server-only";
import { publicEnv } from "@/lib/env";
import { withRedis } from "@/lib/redis";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const timeout = 2_000; // ms

/** Whether each part that Signet stands on answers now. */
export async function checkHealth() {
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
    await ask();
    return true;
  } catch {
    return false;
  }
}
