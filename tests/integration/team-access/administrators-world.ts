import fc from "fast-check";
import type { World } from "../../support/access-world.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";
import { userNames } from "../permissions/random-world.ts";
import type { RandomChange } from "./change-oracle.ts";
import { chosen, keys, managedWorld, type Picks } from "./managed-world.ts";

// In all of these, ann administers team east, and ben does too or manages it; they manage by set `keep`, which is built in.
const roleOfBen = fc.constantFrom("administrator", "administrator", "manager");
const draft = fc.record({
  roleOfBen,
  ofTeam: fc.subarray(["more", "most"], { minLength: 1 }),
  ofManager: fc.subarray(["more", "most"]),
  ofCampaigns: fc.boolean(),
});
const team_id = "east";
const allOf = (set: string, keys: string[]) => keys.map((key) => ({ permission_set_id: set, key }));

/** Random worlds with two who manage a team, of whom one administers it. */
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

// What ann has in west, which runs campaign wells, and whether something in wells was kept for her in east.
const inWest = fc.record({ keys: fc.subarray(keys, { minLength: 3 }), reaches: fc.boolean(), isKept: fc.boolean() });

/** Such worlds in which ann brings a campaign of another team into hers, whether or not she may. */
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

/** A change, and who makes it. */
export type Step = { actor: string; change: RandomChange };

/** A change in such a world, mostly one that takes something from administrators or gives it to them. */
export function stepOf(world: World, { who, kind, one, other, some, broad }: Picks): Step | undefined {
  const actor = chosen(managersOfEast(world), who);
  if (!actor) return undefined;
  const inTeam = (row: { team_id: string | null }) => row.team_id === team_id;
  const usable = world.permission_sets.filter((row) => row.team_id === null || inTeam(row));
  const set = chosen(["more", "most", "most", chosen(usable, some)?.id ?? "more"], one) ?? "more";
  const campaign = chosen(world.campaigns, other)?.id;
  const inCampaign = (row: { team_id: string; campaign_id: string }) => inTeam(row) && row.campaign_id === campaign;
  const setsOf = (rows: { permission_set_id: string }[]) => rows.map((row) => row.permission_set_id);
  const ofTeam = setsOf(world.team_p_sets.filter(inTeam));
  const ofCampaign = setsOf(world.campaign_team_sets.filter(inCampaign));
  const ofSet = world.permission_set_keys.filter((row) => row.permission_set_id === set).map(({ key }) => key);
  const key = chosen(keys, other) ?? "";
  const toggled = (before: string[], item: string) =>
    before.includes(item) ? before.filter((one) => one !== item) : [...before, item];

  const member = world.team_users.find((row) => inTeam(row) && row.user_id !== actor);
  const isNone = member?.status !== "active" || member.role_id !== "administrator";
  const changeMember = (): RandomChange | undefined => {
    if (!member) return undefined;
    const before = { roleId: member.role_id, status: member.status };
    const roleId = isNone || broad ? "administrator" : "manager";
    const status = isNone || !broad ? "active" : "suspended";
    return {
      kind: "members",
      team: team_id,
      members: [{ userId: member.user_id, before, after: { roleId, status } }],
    };
  };
  const changes: (() => RandomChange | undefined)[] = [
    () => ({ kind: "team-sets", team: team_id, before: ofTeam, after: toggled(ofTeam, set) }),
    () => ({ kind: "team-sets", team: team_id, before: ofTeam, after: toggled(ofTeam, set) }),
    () => ({ kind: "team-sets", team: team_id, before: ofTeam, after: some % 3 ? ["keep"] : [] }),
    () => {
      const [before, after] = [ofCampaign, toggled(ofCampaign, set)];
      return campaign ? { kind: "campaign-sets", team: team_id, campaign, before, after } : undefined;
    },
    () => ({
      kind: "set-keys",
      team: team_id,
      sets: [{ setId: set, before: ofSet, after: toggled(ofSet, key) }],
    }),
    changeMember,
    changeMember,
  ];
  const change = isNone && broad ? changeMember() : chosen(changes, kind)?.(); // soon an administrator again
  return change && { actor, change };
}

const managersOfEast = (world: World) =>
  userNames.filter((user) => {
    const held = expectedSnapshot(world, { user, team: team_id, campaign: null }).permissionKeys;
    return held.includes("members.manage") || held.includes("roles.manage");
  });
