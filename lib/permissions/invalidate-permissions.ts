import "server-only";
import { updateTag } from "next/cache";
import { drainNotes } from "@/lib/permissions/drain-notes";
import { permissionsTag } from "@/lib/permissions/permissions-tag";

/**
 * Brings a change of permissions into effect everywhere, for all users that it affects (contract 6). Server actions
 * call it right after their change, before they answer. False when that could not be done now: the change stands, and
 * takes effect when the connection is back.
 */
export async function invalidatePermissions(): Promise<boolean> {
  try {
    for (const userId of await drainNotes("action")) updateTag(permissionsTag(userId));
    return true;
  } catch (error) {
    console.error("Permissions could not be invalidated now; the notes wait.", error);
    return false;
  }
}
