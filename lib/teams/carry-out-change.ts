import "server-only";
import { refresh } from "next/cache";
import { invalidatePermissions } from "@/lib/permissions/invalidate-permissions";
import { requirePermission } from "@/lib/permissions/require-place";
import { type AccessChange, keyOfChange } from "@/lib/teams/access-change";
import { accessMessage } from "@/lib/teams/access-message";
import { changeAccess } from "@/lib/teams/change-access";

/**
 * What a server action does with an access change: guards it, makes it, brings it into effect for everyone whom it affects,
 * and has the page shown anew. The message says what was done. Throws as `requirePermission` and `changeAccess` do.
 */
export async function carryOutChange(change: AccessChange): Promise<{ message: string }> {
  await requirePermission({ team: change.team }, keyOfChange(change));
  const changed = await changeAccess(change);
  const inEffect = await invalidatePermissions();
  refresh();
  if (!inEffect) return { message: "Saved; it takes effect when the connection is back." };
  return { message: changed ? accessMessage(change) : "It was so already; nothing was changed." };
}
