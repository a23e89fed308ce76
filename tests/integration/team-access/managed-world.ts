import fc from "fast-check";
import type { World } from "../../support/access-world.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";
import { randomWorld, userNames } from "../permissions/random-world.ts";
import { ofMembers, type RandomChange } from "./change-oracle.ts";

// The invented keys of random worlds stand for those that administration asks for.
const realKeys = new Map([
  ["extra.key", "members.manage"],
  ["extra_a.key", "roles.manage"],
  ["extraa.key", "members.view"],
]);

export const keys = ["campaign.view", "voters.search", ...realKeys.values()];

export type Manager = { actor: string; team: string; held: string[] };

/** Who manages which teams of several active members, without holding all keys there. */
export function managersOf(world: World): Manager[] {
  return userNames.flatMap((actor) =>
    world.teams.flatMap(({ id: team }) => {
      const held = expectedSnapshot(world, { user: actor, team, campaign: null }).permissionKeys;
      const active = world.team_users.filter((row) => row.team_id === team && row.status === "active");
      const manages = held.includes("members.manage") || held.includes("roles.manage");
      return manages && held.length < keys.length && active.length > 1 ? [{ actor, team, held }] : [];
    }),
  );
}

/** Random worlds with such a manager. */
export const managedWorld: fc.Arbitrary<World> = randomWorld
  .map((world) => ({
    ...world,
    permission_keys: [],
    permission_set_keys: world.permission_set_keys.map((row) => ({ ...row, key: realKeys.get(row.key) ?? row.key })),
  }))
  .filter((world) => managersOf(world).length > 0);

/** Choices from lists whose lengths are known only when the world is. */
export type Picks = { who: number; kind: number; one: number; other: number; some: number; broad: boolean };
const pick = fc.nat({ max: 9_999 });
export const picks: fc.Arbitrary<Picks> = fc.record({
  who: pick,
  kind: pick,
  one: pick,
  other: pick,
  some: pick,
  broad: fc.boolean(),
});

/** One of several, or undefined of none. */
export const chosen = <T>(items: readonly T[], number: number): T | undefined => items[number % items.length];

const subset = <T>(items: T[], number: number) => items.filter((_, index) => (number >> index) % 2 === 0);
const idsOf = (rows: { permission_set_id: string }[]) => rows.map((row) => row.permission_set_id);

export const changeKinds: RandomChange["kind"][] = [
  ...(["members", "campaigns", "attach-campaign"] as const),
  ...(["role-sets", "set-keys", "team-sets", "campaign-sets"] as const),
];

/** A change that somebody could send, sensible or not, with the `before` that is true of the world; of one kind, or of any. */
export function changeOf(
  world: World,
  { team, held }: Manager,
  { kind, one, other, some, broad }: Picks,
  only?: RandomChange["kind"],
): RandomChange | undefined {
  const usable = <T extends { team_id: string | null }>(items: T[]) =>
    broad ? items : items.filter(({ team_id }) => team_id === null || team_id === team);
  const own = <T extends { team_id: string | null }>(items: T[]) =>
    broad ? items : items.filter(({ team_id }) => team_id === team);
  const setIds = subset(usable(world.permission_sets), some).map(({ id }) => id);
  const user = chosen(userNames, one);
  const campaign = chosen(world.campaigns, other)?.id;
  const role = chosen(usable(world.roles), some)?.id;
  const inTeam = (row: { team_id: string }) => row.team_id === team;

  const allowed = changeKinds.filter((kind) =>
    held.includes(ofMembers.includes(kind) ? "members.manage" : "roles.manage"),
  );
  switch (only ?? chosen(broad ? changeKinds : allowed, kind)) {
    case "members": {
      const member = world.team_users.find((row) => row.user_id === user && inTeam(row));
      if (!user || !role || !member) return undefined;
      const before = { roleId: member.role_id, status: member.status };
      const status = chosen(["active", "active", "suspended", "invited"] as const, other) ?? "active";
      const after = other % 5 === 0 ? null : { roleId: role, status };
      return { kind: "members", team, members: [{ userId: user, before, after }] };
    }
    case "campaigns": {
      if (!user || !campaign) return undefined;
      const here = (row: { user_id: string; team_id: string; campaign_id: string }) =>
        row.user_id === user && inTeam(row) && row.campaign_id === campaign;
      const before = {
        roleId: world.campaign_user_roles_team.find(here)?.role_id ?? null,
        setIds: idsOf(world.campaign_user_team_sets.filter(here)),
      };
      const after = { roleId: role && one % 3 > 0 ? role : null, setIds };
      return { kind: "campaigns", team, places: [{ userId: user, campaign, before, after }] };
    }
    case "role-sets": {
      const changed = chosen(own(world.roles), one)?.id;
      if (!changed) return undefined;
      const before = idsOf(world.role_p_sets.filter((row) => row.role_id === changed));
      return { kind: "role-sets", team, roleId: changed, before, after: setIds };
    }
    case "set-keys": {
      const changed = chosen(own(world.permission_sets), one)?.id;
      if (!changed) return undefined;
      const before = world.permission_set_keys.filter((row) => row.permission_set_id === changed).map(({ key }) => key);
      return { kind: "set-keys", team, sets: [{ setId: changed, before, after: subset(keys, some) }] };
    }
    case "team-sets":
      return { kind: "team-sets", team, before: idsOf(world.team_p_sets.filter(inTeam)), after: setIds };
    case "campaign-sets": {
      if (!campaign) return undefined;
      const before = idsOf(world.campaign_team_sets.filter((row) => inTeam(row) && row.campaign_id === campaign));
      return { kind: "campaign-sets", team, campaign, before, after: setIds };
    }
    case "attach-campaign":
      return campaign ? { kind: "attach-campaign", team, campaign } : undefined;
    default:
      return undefined;
  }
}
