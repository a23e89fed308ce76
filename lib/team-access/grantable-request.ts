import type { TeamPlace } from "@/lib/permissions/list-places";
import { endText } from "@/lib/team-access/campaigns-text";
import { listRequestGrants, placesToGrantIn, type RequestGrant } from "@/lib/team-access/list-request-grants";
import type { Member } from "@/lib/team-access/members";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";
import type { AccessRequest } from "@/lib/team-access/requests";

/** A request with the changes that grant it, each with its place, the smallest first. */
export type GrantableRequest = AccessRequest & {
  grants: RequestGrant[];
  /** Why there are none. */
  whyNot: string | null;
  /** A changed or new role would grant it. */
  isRoleMissing: boolean;
  /** The person can't use a grant now: `suspended`, or `access ended Mar 3`. */
  inactiveText: string | null;
};

/** A request with what the reader, whose place in the team is `reader`, can do to grant it. */
export function grantableRequest(
  request: AccessRequest,
  reader: TeamPlace,
  members: Member[],
  roles: Pick<TeamRoles, "roles" | "sets">,
  formatDay: (day: string) => string,
): GrantableRequest {
  const none = { ...request, grants: [], isRoleMissing: false, inactiveText: null };
  const member = members.find(({ userId }) => userId === request.userId);
  if (member?.status !== "active") {
    const inactiveText = member?.ended ? `access ${endText(member, formatDay)}` : (member?.status ?? null);
    return { ...none, inactiveText, whyNot: "They can't use it now. Reactivate them first." };
  }
  const places = placesToGrantIn(request, reader);
  if (places.length === 0 && !request.campaign) {
    return { ...none, whyNot: "No campaign is running. Create one first, then grant this." };
  }
  const grantsIn = ({ campaign }: (typeof places)[number], ownKeys?: string[]) =>
    listRequestGrants(reader.id, { key: request.key, campaign }, member, roles, ownKeys);
  const grants = places.flatMap((place) => {
    const all = grantsIn(place, place.permissionKeys);
    const shown = places.length > 1 ? all.slice(0, 1) : all;
    return shown.map((grant) => ({ ...grant, grants: `${grant.grants} in ${place.name}` }));
  });
  const isForOthers = grants.length > 0 || places.length === 0 || places.some((place) => grantsIn(place).length > 0);
  const whyNot = grants.length > 0 ? null : whyNotGranted(member, isForOthers);
  return { ...none, grants, whyNot, isRoleMissing: !isForOthers };
}

function whyNotGranted({ isAdministrator }: Member, isForOthers: boolean) {
  if (isAdministrator) return "All administrators have the same permissions. Change them under Roles.";
  if (isForOthers) return "You can't grant this because you don't have it there yourself. Another administrator can.";
  return "No existing role fits. To grant this, edit or create a role.";
}
