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
 * A hash that changes when the user's permissions change, in this place or any other. For people who manage members, it also
 * changes with the team's open requests and accepted invitations; with `includeOwnRequests`, with the user's own requests.
 */
export async function readPermissionsFingerprint(
  session: Session,
  place: Partial<Place>,
  includeOwnRequests = false,
): Promise<string> {
  const [snapshot, places] = await Promise.all([routePermissions(session, place), listPlaces(session)]);
  const team = places.find(({ id }) => id === place.team);
  const canManageMembers = team?.permissionKeys.includes("members.manage");
  const teamState =
    team && (includeOwnRequests || canManageMembers)
      ? await Promise.all([
          listOpenRequests(team.id, canManageMembers ? null : session.userId),
          canManageMembers ? readLastAcceptance(team.id) : null,
        ])
      : [];
  const state = JSON.stringify([snapshot, places, ...teamState]);
  return createHash("sha256").update(state).digest("base64url").slice(0, 22);
}

/** When an invitation of the team was last accepted. */
async function readLastAcceptance(teamId: string): Promise<string | null> {
  const acceptedAt = "accepted_at" satisfies Column<"invitations">;
  const result = await createAdminClient()
    .from("invitations")
    .select("accepted_at")
    .eq("team_id", teamId)
    .not(acceptedAt, "is", null)
    .order(acceptedAt, { ascending: false })
    .limit(1);
  const [last] = z.array(z.object({ accepted_at: z.string() })).parse(unwrap(result));
  return last?.accepted_at ?? null;
}

/** Ids of one person's open access requests in a team. With null, everyone's, for people with `members.manage`. */
export const listOpenRequests = cache(async (teamId: string, userId: string | null): Promise<string[]> => {
  const open = createAdminClient()
    .from("access_requests")
    .select("id")
    .eq("team_id", teamId)
    .is("closed_at" satisfies Column<"access_requests">, null)
    .order("id" satisfies Column<"access_requests">);
  const unknownCampaignId = "unknown_campaign_id" satisfies Column<"access_requests">;
  const result = await (userId === null ? open.is(unknownCampaignId, null) : open.eq("user_id", userId));
  const rows = z.array(z.object({ id: z.uuid() })).parse(unwrap(result));
  return rows.map(({ id }) => id);
});
