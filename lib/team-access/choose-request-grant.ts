import type { AccessChange } from "@/lib/team-access/access-change";
import type { Member } from "@/lib/team-access/members";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";
import type { AccessRequest } from "@/lib/team-access/requests";

/**
 * The change that grants a request and removes nothing: the smallest role that adds the key and keeps everything their
 * current role there includes; without one, in a campaign, the smallest extra permission set. `grants` names it. Null if
 * no role does, and for administrators, who share their sets.
 */
export function chooseRequestGrant(
  team: string,
  { campaign, key }: Pick<AccessRequest, "campaign" | "key">,
  member: Member,
  { roles, sets }: Pick<TeamRoles, "roles" | "sets">,
): { change: AccessChange; grants: string } | null {
  if (member.isAdministrator) return null;
  const keysOf = (setIds: string[]) =>
    new Set(sets.filter(({ id }) => setIds.includes(id)).flatMap(({ keys }) => keys));
  const offered = roles
    .filter(({ scope }) => scope === "assigned")
    .map((role) => ({ ...role, keys: keysOf(role.setIds) }))
    .toSorted((a, b) => a.keys.size - b.keys.size);
  const access = campaign && member.campaigns.find(({ id }) => id === campaign.id);
  const roleId = campaign ? (access?.roleId ?? null) : member.roleId;
  const current = [...(offered.find(({ id }) => id === roleId)?.keys ?? [])];
  const role = offered.find(({ keys }) => keys.has(key) && current.every((one) => keys.has(one)));
  const { userId, status } = member;
  if (!campaign) {
    if (!role) return null;
    const after = { roleId: role.id, status };
    const members = [{ userId, before: { roleId: member.roleId, status }, after }];
    return { change: { kind: "members", team, members }, grants: `the role ${role.name}` };
  }
  const set = sets.filter(({ keys }) => keys.includes(key)).toSorted((a, b) => a.keys.length - b.keys.length)[0];
  const before = { roleId, setIds: access?.sets.map(({ id }) => id).toSorted() ?? [] };
  const after = role
    ? { ...before, roleId: role.id }
    : set && { ...before, setIds: [...before.setIds, set.id].toSorted() };
  if (!after) return null;
  return {
    change: { kind: "campaigns", team, places: [{ userId, campaign: campaign.id, before, after }] },
    grants: role ? `the role ${role.name}` : `the permission set ${set?.name}`,
  };
}
