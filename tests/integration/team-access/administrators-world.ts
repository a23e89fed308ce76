import fc from "fast-check";
import { uuidOf, type World } from "../../support/access-world.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";
import { userNames } from "../permissions/random-world.ts";
import { chosen, keys, managedWorld, type Picks, picks } from "./managed-world.ts";

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

const nothing: Picks = { who: 0, kind: 0, one: 0, other: 0, some: 0, broad: true };
const taking = { ...nothing, one: 1 }; // ann takes set `most` from the administrators, or gives it to them

/** Ten steps, of which the first may be ann's taking and giving back. */
export const tenSteps: fc.Arbitrary<Picks[]> = fc
  .tuple(fc.constantFrom([], [taking], [taking, taking]), fc.array(picks, { minLength: 10, maxLength: 10 }))
  .map(([first, others]) => [...first, ...others].slice(0, 10));

/** The change that one of them makes next. */
export type Step = { actor: string; change: object };

/** A step in a world as it is by now, mostly one that takes something from administrators or gives it to them. */
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
  const ids = (sets: string[]) => sets.map(uuidOf);
  const toggled = (before: string[], item: string) =>
    before.includes(item) ? before.filter((one) => one !== item) : [...before, item];

  const member = world.team_users.find((row) => inTeam(row) && row.user_id !== actor);
  const isNone = member?.status !== "active" || member.role_id !== "administrator";
  const changeMember = () => {
    if (!member) return undefined;
    const before = { roleId: uuidOf(member.role_id), status: member.status };
    const [roleId, status] = [
      uuidOf(isNone || broad ? "administrator" : "manager"),
      isNone || !broad ? "active" : "suspended",
    ];
    return { kind: "members", members: [{ userId: uuidOf(member.user_id), before, after: { roleId, status } }] };
  };
  const changes: (() => object | undefined)[] = [
    () => ({ kind: "team-sets", before: ids(ofTeam), after: ids(toggled(ofTeam, set)) }),
    () => ({ kind: "team-sets", before: ids(ofTeam), after: ids(toggled(ofTeam, set)) }),
    () => ({ kind: "team-sets", before: ids(ofTeam), after: some % 3 ? ids(["keep"]) : [] }),
    () => {
      const [before, after] = [ids(ofCampaign), ids(toggled(ofCampaign, set))];
      return campaign ? { kind: "campaign-sets", campaign, before, after } : undefined;
    },
    () => ({ kind: "set-keys", sets: [{ setId: uuidOf(set), before: ofSet, after: toggled(ofSet, key) }] }),
    changeMember,
    changeMember,
  ];
  const change = isNone && broad ? changeMember() : chosen(changes, kind)?.(); // soon an administrator again
  return change && { actor, change: { team: team_id, ...change } };
}

const managersOfEast = (world: World) =>
  userNames.filter((user) => {
    const held = expectedSnapshot(world, { user, team: team_id, campaign: null }).permissionKeys;
    return held.includes("members.manage") || held.includes("roles.manage");
  });
