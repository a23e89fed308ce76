import "server-only";
import { revalidateTag, updateTag } from "next/cache";
import { AppError } from "@/lib/errors";
import { logEvent, logFailure } from "@/lib/log-event";
import { drainNotes, readNotes } from "@/lib/permissions/notes";
import { permissionsTag } from "@/lib/permissions/snapshot";
import { withRedis } from "@/lib/redis";
import { notesAtOnce } from "@/supabase/functions/_shared/drain-permission-changes";
import { renewEpochs } from "@/supabase/functions/_shared/permission-epochs";

/**
 * Brings a change of permissions into effect everywhere, for all users that it affects (contract 6). Server actions
 * call it right after their change, before they answer. False when that could not be done now: the change stands, and
 * takes effect when the connection is back.
 */
export async function invalidatePermissions(): Promise<boolean> {
  try {
    // Before Redis is asked for anything: while it fails, the tag alone keeps an old "yes" from this instance.
    const { userIds } = await readNotes(notesAtOnce);
    const noted = new Set(userIds);
    for (const userId of noted) updateTag(permissionsTag(userId));
    for (const userId of await drainNotes("action")) if (!noted.has(userId)) updateTag(permissionsTag(userId));
    return true;
  } catch (error) {
    logFailure("Permissions could not be invalidated now; the notes wait.", error);
    return false;
  }
}

/**
 * Drops all cached snapshots of a user, from a route (contract 4.6). Throws AppError `unavailable` when the epoch
 * could not be renewed; the tag is invalidated all the same.
 */
export async function refreshPermissions(userId: string): Promise<void> {
  revalidateTag(permissionsTag(userId), { expire: 0 });
  try {
    await withRedis((redis) => renewEpochs(redis, [userId]));
  } catch (cause) {
    throw new AppError("unavailable", "Your permissions could not be refreshed. Try again in a moment.", {
      cause,
      retryAfter: 1,
    });
  }
  logEvent("permissions-invalidated", { by: "refresh", users: [userId] });
}

/** The same once sessions have ended, which stays so: false, and logged, when the epoch could not be renewed. */
export async function tryRefreshPermissions(userId: string): Promise<boolean> {
  try {
    await refreshPermissions(userId);
    return true;
  } catch (error) {
    logFailure("Cached permissions stay until the tokens of their sessions expire.", error);
    return false;
  }
}
