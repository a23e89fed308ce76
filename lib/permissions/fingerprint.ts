import "server-only";
import { createHash } from "node:crypto";
import { cache } from "react";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import type { Place } from "@/lib/ids";
import { listPlaces } from "@/lib/permissions/list-places";
import { routePermissions } from "@/lib/permissions/route-permissions";
import { createAdminClient } from "@/lib/supabase/admin";
import { type Column, unwrap } from "@/lib/supabase/unwrap";

/**
 * A text that changes exactly when the user's permissions change, at the place or anywhere. For people who manage members,
 * and for someone `asking` for access, it also changes with the open requests there.
 */
export async function readPermissionsFingerprint(
  session: Session,
  place: Partial<Place>,
  includeOwnRequests = false,
): Promise<string> {
  const [snapshot, places] = await Promise.all([routePermissions(session, place), listPlaces(session)]);
  const team = places.find(({ id }) => id === place.team);
  const canManageMembers = team?.permissionKeys.includes("members.manage");
  const requests =
    team && (includeOwnRequests || canManageMembers)
      ? [await listOpenRequests(team.id, canManageMembers ? null : session.userId)]
      : [];
  const state = JSON.stringify([snapshot, places, ...requests]);
  return createHash("sha256").update(state).digest("base64url").slice(0, 22);
}

/** Ids of a team's open access requests: one person's, or all of them (null) for people with `members.manage`. */
export const listOpenRequests = cache(async (teamId: string, userId: string | null): Promise<string[]> => {
  const open = createAdminClient()
    .from("access_requests")
    .select("id")
    .eq("team_id", teamId)
    .is("closed_at" satisfies Column<"access_requests">, null)
    .order("id" satisfies Column<"access_requests">);
  const known = "unknown_campaign_id" satisfies Column<"access_requests">;
  const result = await (userId === null ? open.is(known, null) : open.eq("user_id", userId));
  const rows = z.array(z.object({ id: z.uuid() })).parse(unwrap(result));
  return rows.map(({ id }) => id);
});
