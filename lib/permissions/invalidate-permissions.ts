import "server-only";
import { updateTag } from "next/cache";
import { z } from "zod";
import { logEvent } from "@/lib/log-event";
import { permissionsTag } from "@/lib/permissions/permissions-tag";
import { withRedis } from "@/lib/redis";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { drainPermissionChanges } from "@/supabase/functions/_shared/drain-permission-changes";
import { markDrained, readClock, renewEpochs } from "@/supabase/functions/_shared/permission-epochs";

const notesSchema = z.object({ ids: z.array(z.number()), userIds: z.array(z.string()) });

/**
 * Brings a change of permissions into effect everywhere, for all users that it affects (contract 6). Server actions
 * call it right after their change, before they answer. False when that could not be done now: the change stands, and
 * takes effect when the connection is back.
 */
export async function invalidatePermissions(): Promise<boolean> {
  const admin = createAdminClient();
  try {
    const users = await drainPermissionChanges({
      readClock: () => withRedis(readClock),
      readNotes: async (limit) =>
        notesSchema.parse(unwrap(await admin.rpc("pending_permission_changes", { p_limit: limit }))),
      renewEpochs: (userIds) => withRedis((redis) => renewEpochs(redis, userIds), { within: 5_000 }),
      deleteNotes: async (ids) => void unwrap(await admin.rpc("delete_permission_changes", { p_ids: ids })),
      markDrained: (since) => withRedis((redis) => markDrained(redis, since)),
    });
    for (const userId of users) updateTag(permissionsTag(userId));
    if (users.length > 0) logEvent("permissions-invalidated", { by: "action", users });
    return true;
  } catch (error) {
    console.error("Permissions could not be invalidated now; the notes wait.", error);
    return false;
  }
}
