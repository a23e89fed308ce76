import "server-only";
import { logEvent } from "@/lib/log-event";
import { readNotes } from "@/lib/permissions/read-notes";
import { withRedis } from "@/lib/redis";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { drainPermissionChanges } from "@/supabase/functions/_shared/drain-permission-changes";
import { markDrained, readClock, renewEpochs } from "@/supabase/functions/_shared/permission-epochs";

/**
 * Carries out all notes of changed permissions, as the schedule does, and renews the lease on what is cached. Throws when
 * a step failed: the notes that are left wait.
 */
export async function drainNotes(by: "action" | "read"): Promise<string[]> {
  const users = await drainPermissionChanges({
    readClock: () => withRedis(readClock),
    readNotes,
    renewEpochs: (userIds) => withRedis((redis) => renewEpochs(redis, userIds), { within: 5_000 }),
    deleteNotes: async (ids) => void unwrap(await createAdminClient().rpc("delete_permission_changes", { p_ids: ids })),
    markDrained: (since) => withRedis((redis) => markDrained(redis, since)),
  });
  if (users.length > 0) logEvent("permissions-invalidated", { by, users });
  return users;
}
