import type { TeamPlace } from "@/lib/permissions/list-places";
import { permissionLabel } from "@/lib/permissions/permission-keys";
import type { AccessChange } from "@/lib/team-access/access-change";
import type { Member } from "@/lib/team-access/members";
import type { TeamRoles } from "@/lib/team-access/read-team-roles";
import type { AccessRequest } from "@/lib/team-access/requests";

/**
 * A change that grants a request, what it grants (`the Canvasser role`), and why this one is offered. `endsOn` is the last day
 * of the member's current role in the campaign.
 */
export type RequestGrant = { change: AccessChange; grants: string; note: string; endsOn?: string | null | undefined };

/** Where a request can be granted, with the reader's permissions there. Any running campaign grants a team's overview. */
export function placesToGrantIn({ campaign, key }: Pick<AccessRequest, "campaign" | "key">, team: TeamPlace) {
  const { name, permissionKeys, campaigns } = team;
  if (!campaign && key !== "campaign.view") return [{ campaign: null, name, permissionKeys }];
  return campaigns
    .filter(({ id, archivedAt }) => (campaign ? id === campaign.id : archivedAt === null))
    .map((place) => ({ campaign: place, name: place.name, permissionKeys: place.permissionKeys }));
}

/**
 * The changes that grant a request and remove nothing, the one that adds the least first. They are roles that add the key and
 * keep everything in the current role. In a campaign, the smallest extra permission set is one too. Empty for administrators,
 * who share their sets. With `ownKeys`, only changes that a person with these keys can make.
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
    !ownKeys || [...keys].every((other) => ownKeys.includes(other) || current.includes(other));
  const usable = offered.filter(({ keys }) => keys.has(key) && current.every((own) => keys.has(own)) && canGrant(keys));
  const { userId, status } = member;
  const describe = (what: "role" | "permission set", name: string, isSmallest: boolean) => {
    const adds = `${isSmallest ? `is the smallest ${what} that adds` : "adds"} “${permissionLabel(key)}`;
    const keeps = what === "role" && current.length > 0 ? `” and keeps everything ${member.name} has now.` : ".”";
    return { grants: `the ${name} ${what}`, note: `${name} ${adds}${keeps}` };
  };
  if (!campaign) {
    const before = { roleId: member.roleId, status };
    return usable.map((role, place) => ({
      change: { kind: "members", team, members: [{ userId, before, after: { roleId: role.id, status } }] },
      ...describe("role", role.name, place === 0),
    }));
  }
  const before = { roleId, setIds: access?.sets.map(({ id }) => id).toSorted() ?? [] };
  const changeTo = (after: typeof before): Pick<RequestGrant, "change" | "endsOn"> => ({
    change: { kind: "campaigns", team, places: [{ userId, campaign: campaign.id, before, after }] },
    endsOn: access?.endsOn,
  });
  const [set] = sets
    .filter(({ keys }) => keys.includes(key) && canGrant(keys))
    .toSorted((a, b) => a.keys.length - b.keys.length);
  const grants = usable.map(({ id, name }, place) => ({
    ...changeTo({ ...before, roleId: id }),
    ...describe("role", name, place === 0),
  }));
  if (!set) return grants;
  const addedBy = (keys: Iterable<string>) => [...keys].filter((other) => !current.includes(other)).length;
  const place = usable.filter(({ keys }) => addedBy(keys) <= addedBy(set.keys)).length;
  return grants.toSpliced(place, 0, {
    ...changeTo({ ...before, setIds: [...before.setIds, set.id].toSorted() }),
    ...describe("permission set", set.name, true),
  });
}
