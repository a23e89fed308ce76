import type { AccessExplanation } from "@/lib/permissions/explain";
import { type PermissionKey, permissionAct, permissionLabel } from "@/lib/permissions/permission-keys";
import type { AccessChange } from "@/lib/team-access/access-change";
import { listRequestGrants } from "@/lib/team-access/list-request-grants";
import type { Member } from "@/lib/team-access/members";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";
import type { AccessRequest } from "@/lib/team-access/requests";

type Named = { id: string; name: string };
/** A change with the texts of its button and its preview. */
type Offer = Record<"label" | "title" | "note" | "confirm" | "done", string> & {
  change: AccessChange;
  endsOn?: string | null | undefined;
  danger?: boolean;
};

/**
 * The smallest change that grants a member a permission in a place, or removes it, with the label of its button. If they have
 * the permission team-wide but can't open the campaign, the change opens it. If they can, it removes the permission team-wide.
 * Null if no change works.
 */
export function offerChange(
  team: Named,
  question: { key: PermissionKey; campaign: Named | null } & Pick<AccessExplanation, "granted" | "campaignAccess">,
  member: Member,
  roles: TeamRoles,
): Offer | null {
  const permission = permissionLabel(question.key);
  const place = question.campaign?.name ?? team.name;
  if (hasPermission(question)) {
    const removalInPlace = chooseRemoval(team.id, question, member, roles);
    const removal =
      removalInPlace ?? (question.campaign && chooseRemoval(team.id, { ...question, campaign: null }, member, roles));
    if (!removal) return null;
    const remainingCampaigns =
      removal.change.kind === "members" ? campaignsWith(question.key, member, roles).join(", ") : "";
    const scope = removalInPlace ? `in ${place}` : "team-wide";
    return {
      change: removal.change,
      title: `Remove “${permission}” from ${member.name} ${scope}?`,
      note: `${removal.description}${remainingCampaigns && ` They can still ${permissionAct(question.key)} in ${remainingCampaigns}.`}`,
      confirm: "Remove permission",
      danger: true,
      done: `${member.name} no longer has the permission “${permission}” ${scope}.`,
      label: `Remove “${permission}”${removalInPlace ? "" : " team-wide"}`,
    };
  }
  const [grant] = listRequestGrants(team.id, question, member, roles);
  if (!grant) return null;
  const label = `Grant ${member.name} ${grant.grants} in ${place}`;
  return {
    change: grant.change,
    endsOn: grant.endsOn,
    title: `${label}?`,
    confirm: "Grant access",
    note: grant.note,
    done: `${member.name} now has the permission “${permission}” in ${place}.`,
    label,
  };
}

/** The campaigns in which a member has a permission by their role or sets there. */
function campaignsWith(key: PermissionKey, member: Member, { roles, sets }: TeamRoles): string[] {
  const campaigns = member.campaigns.filter(({ roleId, sets: extra }) => {
    const setIds = [...(roles.find(({ id }) => id === roleId)?.setIds ?? []), ...extra.map(({ id }) => id)];
    return sets.some(({ id, keys }) => setIds.includes(id) && keys.includes(key));
  });
  return campaigns.map(({ name }) => name);
}

/** Whether they have the permission in the place and can open it. */
export function hasPermission({
  granted,
  campaignAccess,
}: Pick<AccessExplanation, "granted" | "campaignAccess">): boolean {
  return granted && campaignAccess !== false;
}

/**
 * Finds a change that removes a key from a member in a place and adds nothing. It picks the role that keeps the most keys
 * without this one; in a campaign, perhaps no role. It drops extra sets that have the key. Null for administrators, if no such
 * role exists, or if the key comes from the role in the team.
 */
function chooseRemoval(
  team: string,
  { campaign, key }: Pick<AccessRequest, "campaign" | "key">,
  member: Member,
  { roles, sets }: Pick<TeamRoles, "roles" | "sets">,
): { change: AccessChange; description: string } | null {
  if (member.isAdministrator) return null;
  const keysOf = (setIds: string[]) => sets.filter(({ id }) => setIds.includes(id)).flatMap(({ keys }) => keys);
  const offered = roles
    .filter(({ scope }) => scope === "assigned")
    .map((role) => ({ ...role, keys: keysOf(role.setIds) }));
  const roleOf = (roleId: string | null | undefined) => offered.find(({ id }) => id === roleId);
  /** The role itself if it doesn't have the key. */
  const largestRoleWithoutKey = (role: (typeof offered)[number]) => {
    if (!role.keys.includes(key)) return role;
    const smallerRoles = offered.filter(({ keys }) => keys.every((own) => own !== key && role.keys.includes(own)));
    return smallerRoles.toSorted((a, b) => new Set(b.keys).size - new Set(a.keys).size)[0];
  };
  const inTeam = roleOf(member.roleId);
  if (!inTeam) return null;
  const { userId, status } = member;
  if (!campaign) {
    const after = largestRoleWithoutKey(inTeam);
    if (!after || after === inTeam) return null;
    const members = [{ userId, before: { roleId: member.roleId, status }, after: { roleId: after.id, status } }];
    return {
      change: { kind: "members", team, members },
      description: `${member.name}'s team role changes from ${inTeam.name} to ${after.name}.`,
    };
  }
  const access = member.campaigns.find(({ id }) => id === campaign.id);
  if (!access || inTeam.keys.includes(key)) return null;
  const role = roleOf(access.roleId);
  const after = role && largestRoleWithoutKey(role);
  const extra = access.sets.filter(({ id }) => keysOf([id]).includes(key));
  if (after === role && extra.length === 0) return null;
  const setIds = (list: typeof extra) => list.map(({ id }) => id).toSorted();
  const change: AccessChange = {
    kind: "campaigns",
    team,
    places: [
      {
        userId,
        campaign: campaign.id,
        before: { roleId: access.roleId, setIds: setIds(access.sets) },
        after: { roleId: after?.id ?? null, setIds: setIds(access.sets.filter((set) => !extra.includes(set))) },
      },
    ],
  };
  const acts = [
    after !== role &&
      (after
        ? `${member.name}'s role in ${campaign.name} changes from ${role?.name} to ${after.name}.`
        : `${member.name} loses the ${role?.name} role in ${campaign.name}.`),
    extra.length > 0 && `${member.name} loses the extra ${extra.map(({ name }) => name).join(", ")}.`,
  ];
  return { change, description: acts.filter(Boolean).join(" ") };
}
