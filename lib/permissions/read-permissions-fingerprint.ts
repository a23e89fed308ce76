import "server-only";
import { createHash } from "node:crypto";
import type { Session } from "@/lib/auth/get-session";
import type { Place } from "@/lib/ids";
import { listPlaces } from "@/lib/permissions/list-places";
import { routePermissions } from "@/lib/permissions/route-permissions";

/** A text that changes exactly when what the user may do changes: at the place, or anywhere that she reaches. */
export async function readPermissionsFingerprint(session: Session, place: Partial<Place>): Promise<string> {
  const state = await Promise.all([routePermissions(session, place), listPlaces(session)]);
  return createHash("sha256").update(JSON.stringify(state)).digest("base64url").slice(0, 22);
}
