import "server-only";
import { createHash } from "node:crypto";
import type { Session } from "@/lib/auth/get-session";
import type { Place } from "@/lib/ids";
import { listOpenRequests } from "@/lib/permissions/list-open-requests";
import { listPlaces } from "@/lib/permissions/list-places";
import { routePermissions } from "@/lib/permissions/route-permissions";

/**
 * A text that changes exactly when what the user may do changes: at the place, or anywhere that she reaches. For those who
 * manage the team's members, and for one who is `asking` for access there, also when an open request comes or goes.
 */
export async function readPermissionsFingerprint(
  session: Session,
  place: Partial<Place>,
  asking = false,
): Promise<string> {
  const [snapshot, places] = await Promise.all([routePermissions(session, place), listPlaces(session)]);
  const team = places.find(({ id }) => id === place.team);
  const manages = team?.permissionKeys.includes("members.manage");
  const follows = team && (asking || manages);
  const state = [
    snapshot,
    places,
    ...(follows ? [await listOpenRequests(team.id, manages ? null : session.userId)] : []),
  ];
  return createHash("sha256").update(JSON.stringify(state)).digest("base64url").slice(0, 22);
}
