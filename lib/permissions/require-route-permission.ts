import "server-only";
import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import { getSession } from "@/lib/permissions/get-session";
import { PermissionRefused } from "@/lib/permissions/permission-refused";
import type { Access } from "@/lib/permissions/require-place";
import { routePermissions } from "@/lib/permissions/route-permissions";

/**
 * Access to a campaign and a key there, for a route: nothing is redirected. Throws AppError `unauthenticated`, `not-found`
 * for a campaign that the user does not reach, and PermissionRefused (403) when only the key is missing.
 */
export async function requireRoutePermission(place: Required<Place>, key: PermissionRefused["key"]): Promise<Access> {
  const session = await getSession();
  if (!session) throw new AppError("unauthenticated", "Your session has ended. Sign in again.");
  const snapshot = await routePermissions(session, place);
  if (!snapshot.teamAccess || !snapshot.campaignAccess) {
    throw new AppError("not-found", "There is no such campaign among yours. Reload the page to see which there are.");
  }
  if (!snapshot.permissionKeys.includes(key)) throw new PermissionRefused(place, key);
  return { session, snapshot };
}
