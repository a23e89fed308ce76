import type { AccessChange } from "@/lib/team-access/access-change";
import type { Member } from "@/lib/team-access/members";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";
import type { AccessRequest } from "@/lib/team-access/requests";

/**
 * The change that grants a request and takes nothing: in a campaign or the team the smallest role that has the key and all
 * that her present one there gives; where there is none, in a campaign the smallest permission set beside it. `gives` says
 * which. Null where no role does, and for administrators, whose sets are everybody's.
 */
export function chooseRequestGrant(
  team: string,
  { campaign, key }: Pick<AccessRequest, "campaign" | "key">,
  member: Member,
  { roles, sets }: Pick<TeamRoles, "roles" | "sets">,
): { change: AccessChange; gives: string } | null {
  if (member.isAdministrator) return null;
  const keysOf = (setIds: string[]) =>
    new Set(sets.filter(({ id }) => setIds.includes(id)).flatMap(({ keys }) => keys));
  const offered = roles
    .filter(({ scope }) => scope === "assigned")
    .map((role) => ({ ...role, keys: keysOf(role.setIds) }))
    .toSorted((a, b) => a.keys.size - b.keys.size);
  const given = campaign && member.campaigns.find(({ id }) => id === campaign.id);
  const roleId = campaign ? (given?.roleId ?? null) : member.roleId;
  const present = [...(offered.find(({ id }) => id === roleId)?.keys ?? [])];
  const role = offered.find(({ keys }) => keys.has(key) && present.every((one) => keys.has(one)));
  const { userId, status } = member;
  if (!campaign) {
    if (!role) return null;
    const after = { roleId: role.id, status };
    const members = [{ userId, before: { roleId: member.roleId, status }, after }];
    return { change: { kind: "members", team, members }, gives: `the role ${role.name}` };
  }
  const set = sets.filter(({ keys }) => keys.includes(key)).toSorted((a, b) => a.keys.length - b.keys.length)[0];
  const before = { roleId, setIds: given?.sets.map(({ id }) => id).toSorted() ?? [] };
  const after = role
    ? { ...before, roleId: role.id }
    : set && { ...before, setIds: [...before.setIds, set.id].toSorted() };
  if (!after) return null;
  return {
    change: { kind: "campaigns", team, places: [{ userId, campaign: campaign.id, before, after }] },
    gives: role ? `the role ${role.name}` : `the permission set ${set?.name}`,
  };
}
