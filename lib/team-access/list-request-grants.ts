import type { TeamPlace } from "@/lib/permissions/list-places";
import type { AccessChange } from "@/lib/team-access/access-change";
import type { Member } from "@/lib/team-access/members";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";
import type { AccessRequest } from "@/lib/team-access/requests";

/** A change that grants a request, and what it grants: `the role Canvasser`. */
export type RequestGrant = { change: AccessChange; grants: string };

/** Where a request can be granted, with the reader's permissions there. Any running campaign grants a team's overview. */
export function placesToGrantIn({ campaign, key }: Pick<AccessRequest, "campaign" | "key">, team: TeamPlace) {
  const { name, permissionKeys, campaigns } = team;
  if (!campaign && key !== "campaign.view") return [{ campaign: null, name, permissionKeys }];
  return campaigns
    .filter(({ id, archivedAt }) => (campaign ? id === campaign.id : archivedAt === null))
    .map((place) => ({ campaign: place, name: place.name, permissionKeys: place.permissionKeys }));
}

/**
 * The changes that grant a request and remove nothing, the one that adds least first: roles that add the key and keep
 * everything their current role there includes; without one, in a campaign, the smallest extra permission set. None if
 * nothing does, and for administrators, who share their sets. With `ownKeys`, those that a person with these keys can grant.
 */
export function listRequestGrants(
  team: string,
  { campaign, key }: Pick<AccessRequest, "campaign" | "key">,
  member: Member,
  { roles, sets }: Pick<TeamRoles, "roles" | "sets">,
  ownKeys?: string[],
): RequestGrant[] {
  if (member.isAdministrator) return [];
  const keysOf = (setIds: string[]) =>
    new Set(sets.filter(({ id }) => setIds.includes(id)).flatMap(({ keys }) => keys));
  const offered = roles
    .filter(({ scope }) => scope === "assigned")
    .map((role) => ({ ...role, keys: keysOf(role.setIds) }))
    .toSorted((a, b) => a.keys.size - b.keys.size);
  const access = campaign && member.campaigns.find(({ id }) => id === campaign.id);
  const roleId = campaign ? (access?.roleId ?? null) : member.roleId;
  const current = [...(offered.find(({ id }) => id === roleId)?.keys ?? [])];
  const canGrant = (keys: Iterable<string>) =>
    !ownKeys || [...keys].every((one) => ownKeys.includes(one) || current.includes(one));
  const able = offered.filter(({ keys }) => keys.has(key) && current.every((one) => keys.has(one)) && canGrant(keys));
  const { userId, status } = member;
  if (!campaign) {
    const before = { roleId: member.roleId, status };
    return able.map((role) => ({
      change: { kind: "members", team, members: [{ userId, before, after: { roleId: role.id, status } }] },
      grants: `the role ${role.name}`,
    }));
  }
  const before = { roleId, setIds: access?.sets.map(({ id }) => id).toSorted() ?? [] };
  const grantOf = (after: typeof before, grants: string): RequestGrant => ({
    change: { kind: "campaigns", team, places: [{ userId, campaign: campaign.id, before, after }] },
    grants,
  });
  if (able.length > 0) return able.map((role) => grantOf({ ...before, roleId: role.id }, `the role ${role.name}`));
  const set = sets
    .filter(({ keys }) => keys.includes(key) && canGrant(keys))
    .toSorted((a, b) => a.keys.length - b.keys.length)[0];
  if (!set) return [];
  return [grantOf({ ...before, setIds: [...before.setIds, set.id].toSorted() }, `the permission set ${set.name}`)];
}
