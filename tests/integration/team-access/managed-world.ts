import fc from "fast-check";
import type { World } from "../../support/access-world.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";
import { randomWorld, userNames } from "../permissions/random-world.ts";
import type { RandomChange } from "./change-oracle.ts";

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

/** A change that somebody could send, sensible or not, with the `before` that is true of the world. */
export function changeOf(
  world: World,
  { team, held }: Manager,
  { kind, one, other, some, broad }: Picks,
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

  const changes: (() => RandomChange | undefined)[] = [
    () => {
      const member = world.team_users.find((row) => row.user_id === user && inTeam(row));
      if (!user || !role || !member) return undefined;
      return {
        kind: "members",
        team,
        members: [
          {
            userId: user,
            before: { roleId: member.role_id, status: member.status },
            after:
              other % 5 === 0
                ? null
                : {
                    roleId: role,
                    status: chosen(["active", "active", "suspended", "invited"] as const, other) ?? "active",
                  },
          },
        ],
      };
    },
    () => {
      if (!user || !campaign) return undefined;
      const here = (row: { user_id: string; team_id: string; campaign_id: string }) =>
        row.user_id === user && inTeam(row) && row.campaign_id === campaign;
      const before = world.campaign_user_roles_team.find(here);
      return {
        kind: "campaigns",
        team,
        places: [
          {
            userId: user,
            campaign,
            before: {
              roleId: before ? before.role_id : null,
              setIds: idsOf(world.campaign_user_team_sets.filter(here)),
            },
            after: { roleId: role && one % 3 > 0 ? role : null, setIds },
          },
        ],
      };
    },
    () => {
      const changed = chosen(own(world.roles), one)?.id;
      if (!changed) return undefined;
      const before = idsOf(world.role_p_sets.filter((row) => row.role_id === changed));
      return { kind: "role-sets", team, roleId: changed, before, after: setIds };
    },
    () => {
      const changed = chosen(own(world.permission_sets), one)?.id;
      if (!changed) return undefined;
      const before = world.permission_set_keys.filter((row) => row.permission_set_id === changed).map(({ key }) => key);
      return { kind: "set-keys", team, sets: [{ setId: changed, before, after: subset(keys, some) }] };
    },
    () => ({ kind: "team-sets", team, before: idsOf(world.team_p_sets.filter(inTeam)), after: setIds }),
    () => {
      if (!campaign) return undefined;
      const before = idsOf(world.campaign_team_sets.filter((row) => inTeam(row) && row.campaign_id === campaign));
      return { kind: "campaign-sets", team, campaign, before, after: setIds };
    },
    () => (campaign ? { kind: "attach-campaign", team, campaign } : undefined),
  ];
  const ofMembers = [0, 1, 6];
  const allowed = changes.filter((_, index) =>
    held.includes(ofMembers.includes(index) ? "members.manage" : "roles.manage"),
  );
  return chosen(broad ? changes : allowed, kind)?.();
}
