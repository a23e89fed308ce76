import "server-only";
import { updateTag } from "next/cache";
import { logFailure } from "@/lib/log-event";
import { drainNotes } from "@/lib/permissions/drain-notes";
import { permissionsTag } from "@/lib/permissions/permissions-tag";
import { readNotes } from "@/lib/permissions/read-notes";
import { notesAtOnce } from "@/supabase/functions/_shared/drain-permission-changes";

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
