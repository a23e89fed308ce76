import fc from "fast-check";
import { isDue, type World } from "../../support/access-world.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";
import { randomWorld, userNames } from "../permissions/random-world.ts";
import { memberChangeKinds, type RandomChange } from "./change-oracle.ts";

// Maps the invented keys of random worlds to those that administration requires.
const realKeys = new Map([
  ["extra.key", "members.manage"],
  ["extra_a.key", "roles.manage"],
  ["extraa.key", "members.view"],
]);

export const keys = ["campaign.view", "voters.search", ...realKeys.values()];

export type Manager = { actor: string; team: string; held: string[] };

/** Users who manage a team with several active members, without having all keys there. */
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

/** Random worlds with such a manager, in which access may end but hasn't. */
export const managedWorld: fc.Arbitrary<World> = randomWorld
  .map((world) => ({
    ...world,
    permission_keys: [],
    team_users: world.team_users.map((row) => ({ ...row, ends_at: isDue(row) ? null : (row.ends_at ?? null) })),
    campaign_user_roles_team: world.campaign_user_roles_team.map((row) => ({ ...row, ends_at: null })),
    permission_set_keys: world.permission_set_keys.map((row) => ({ ...row, key: realKeys.get(row.key) ?? row.key })),
  }))
  .filter((world) => managersOf(world).length > 0);

/** Choices from lists whose lengths depend on the world. */
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

/** One of several items, or undefined if there are none. */
export const chosen = <T>(items: readonly T[], number: number): T | undefined => items[number % items.length];

const subset = <T>(items: T[], number: number) => items.filter((_, index) => (number >> index) % 2 === 0);
const idsOf = (rows: { permission_set_id: string }[]) => rows.map((row) => row.permission_set_id);

export const changeKinds: RandomChange["kind"][] = [
  "members",
  "campaigns",
  "attach-campaign",
  "role-sets",
  "set-keys",
  "team-sets",
  "campaign-sets",
];

/** A change of one kind, or of any, that a user could send, sensible or not. Its `before` is true. */
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
    held.includes(memberChangeKinds.includes(kind) ? "members.manage" : "roles.manage"),
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

// ── Worlds with administrators ─────────────────────────────────────────────────────────────────────────────────────

// In all of these, ann administers team east, and ben administers or manages it, both through the built-in set `keep`.
const draft = fc.record({
  roleOfBen: fc.constantFrom("administrator", "administrator", "manager"),
  ofTeam: fc.subarray(["more", "most"], { minLength: 1 }),
  ofManager: fc.subarray(["more", "most"]),
  ofCampaigns: fc.boolean(),
});
const team_id = "east";
const allOf = (set: string, keys: string[]) => keys.map((key) => ({ permission_set_id: set, key }));

/** Random worlds with two managers of a team, at least one of them an administrator. */
export const administratorsWorld: fc.Arbitrary<World> = fc.tuple(managedWorld, draft).map(([world, of]) => ({
  ...world,
  roles: [
    ...world.roles,
    { id: "administrator", team_id: null, scope: "inherit_team" },
    { id: "manager", team_id, scope: "assigned" },
  ],
  permission_sets: [
    ...world.permission_sets,
    { id: "keep", team_id: null },
    { id: "more", team_id },
    { id: "most", team_id },
  ],
  permission_set_keys: [
    ...world.permission_set_keys,
    ...allOf("keep", ["members.manage", "members.view", "roles.manage"]),
    ...allOf("more", ["campaign.view"]),
    ...allOf("most", ["campaign.view", "voters.search"]),
  ],
  team_users: [
    ...world.team_users.filter((row) => row.team_id !== team_id),
    { user_id: "ann", team_id, role_id: "administrator", status: "active" },
    { user_id: "ben", team_id, role_id: of.roleOfBen, status: "active" },
  ],
  team_p_sets: [
    ...world.team_p_sets,
    ...["keep", ...of.ofTeam].map((permission_set_id) => ({ team_id, permission_set_id })),
  ],
  role_p_sets: [
    ...world.role_p_sets,
    ...["keep", ...of.ofManager].map((permission_set_id) => ({ role_id: "manager", permission_set_id })),
  ],
  campaign_team_sets: [
    ...world.campaign_team_sets,
    ...world.campaigns
      .filter(() => of.ofCampaigns)
      .map((campaign) => ({ team_id, campaign_id: campaign.id, permission_set_id: "most" })),
  ],
}));

// What ann has in west, which runs campaign wells, and whether ann has a set in wells through east.
const inWest = fc.record({ keys: fc.subarray(keys, { minLength: 3 }), reaches: fc.boolean(), isKept: fc.boolean() });

/** Such worlds in which ann adds a campaign of another team to east, allowed or not. */
export const attachedWorld: fc.Arbitrary<World> = fc
  .tuple(administratorsWorld, inWest)
  .map(([world, { keys, reaches, isKept }]) => ({
    ...world,
    teams: [...world.teams, { id: "west" }],
    campaigns: [...world.campaigns, { id: "wells", team_id: "west" }],
    campaign_team: [...world.campaign_team, { team_id: "west", campaign_id: "wells" }],
    roles: [...world.roles, { id: "westerner", team_id: "west", scope: "assigned" }],
    permission_sets: [...world.permission_sets, { id: "western", team_id: "west" }],
    permission_set_keys: [...world.permission_set_keys, ...allOf("western", keys)],
    role_p_sets: [...world.role_p_sets, { role_id: "westerner", permission_set_id: "western" }],
    team_users: [...world.team_users, { user_id: "ann", team_id: "west", role_id: "westerner", status: "active" }],
    campaign_user_roles_team: [
      ...world.campaign_user_roles_team,
      ...(reaches ? [{ user_id: "ann", team_id: "west", campaign_id: "wells", role_id: "westerner" }] : []),
    ],
    campaign_user_team_sets: [
      ...world.campaign_user_team_sets,
      ...(isKept ? [{ user_id: "ann", team_id, campaign_id: "wells", permission_set_id: "keep" }] : []),
    ],
  }));
export const attaching: Step = { actor: "ann", change: { kind: "attach-campaign", team: team_id, campaign: "wells" } };

/** A change, and the user who makes it. */
export type Step = { actor: string; change: RandomChange };

/** A change in such a world, mostly one of what administrators have. */
export function stepOf(world: World, { who, kind, one, other, some, broad }: Picks): Step | undefined {
  const managers = userNames.filter((user) => {
    const held = expectedSnapshot(world, { user, team: team_id, campaign: null }).permissionKeys;
    return held.includes("members.manage") || held.includes("roles.manage");
  });
  const actor = chosen(managers, who);
  if (!actor) return undefined;
  const inTeam = (row: { team_id: string | null }) => row.team_id === team_id;
  const usable = world.permission_sets.filter((row) => row.team_id === null || inTeam(row));
  const set = chosen(["more", "most", "most", chosen(usable, some)?.id ?? "more"], one) ?? "more";
  const campaign = chosen(world.campaigns, other)?.id;
  const inCampaign = (row: { team_id: string; campaign_id: string }) => inTeam(row) && row.campaign_id === campaign;
  const ofTeam = idsOf(world.team_p_sets.filter(inTeam));
  const ofCampaign = idsOf(world.campaign_team_sets.filter(inCampaign));
  const ofSet = world.permission_set_keys.filter((row) => row.permission_set_id === set).map(({ key }) => key);
  const key = chosen(keys, other) ?? "";
  const toggled = (before: string[], item: string) =>
    before.includes(item) ? before.filter((candidate) => candidate !== item) : [...before, item];

  const member = world.team_users.find((row) => inTeam(row) && row.user_id !== actor);
  const isNone = member?.status !== "active" || member.role_id !== "administrator";
  const changeMember = (): RandomChange | undefined => {
    if (!member) return undefined;
    const before = { roleId: member.role_id, status: member.status };
    const roleId = isNone || broad ? "administrator" : "manager";
    const status = isNone || !broad ? "active" : "suspended";
    return { kind: "members", team: team_id, members: [{ userId: member.user_id, before, after: { roleId, status } }] };
  };
  const teamSets = (after: string[]) => () => ({ kind: "team-sets" as const, team: team_id, before: ofTeam, after });
  const changes: (() => RandomChange | undefined)[] = [
    teamSets(toggled(ofTeam, set)),
    teamSets(toggled(ofTeam, set)),
    teamSets(some % 3 ? ["keep"] : []),
    () => {
      const [before, after] = [ofCampaign, toggled(ofCampaign, set)];
      return campaign ? { kind: "campaign-sets", team: team_id, campaign, before, after } : undefined;
    },
    () => ({ kind: "set-keys", team: team_id, sets: [{ setId: set, before: ofSet, after: toggled(ofSet, key) }] }),
    changeMember,
    changeMember,
  ];
  const change = isNone && broad ? changeMember() : chosen(changes, kind)?.(); // make them an administrator again soon
  return change && { actor, change };
}
