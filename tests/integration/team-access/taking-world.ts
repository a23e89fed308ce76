import fc from "fast-check";
import { uuidOf, type World } from "../../support/access-world.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";
import { userNames } from "../permissions/random-world.ts";
import { chosen, keys, managedWorld, type Picks, picks, statementOf } from "./managed-world.ts";

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
export const takingWorld: fc.Arbitrary<World> = fc.tuple(managedWorld, draft).map(([world, of]) => ({
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
const suspending = { ...nothing, who: 1, kind: 5 }; // ben suspends ann, and has her active again

// With her reinstatement and a try to give back what she took: often, as it is refused in few worlds.
const takingBack = [taking, suspending, suspending, taking];

/** Ten steps, of which the first may be ann's taking. */
export const tenSteps: fc.Arbitrary<Picks[]> = fc
  .tuple(fc.constantFrom([], [taking], takingBack, takingBack), fc.array(picks, { minLength: 10, maxLength: 10 }))
  .map(([first, others]) => [...first, ...others].slice(0, 10));

/** What one of them does next: a change, or a statement that REST runs. */
type Act = { change: object } | { statement: string };
export type Step = { actor: string } & Act;

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
    return {
      change: { kind: "members", members: [{ userId: uuidOf(member.user_id), before, after: { roleId, status } }] },
    };
  };
  const acts: (() => Act | undefined)[] = [
    () => ({ change: { kind: "team-sets", before: ids(ofTeam), after: ids(toggled(ofTeam, set)) } }),
    () => ({ change: { kind: "team-sets", before: ids(ofTeam), after: ids(toggled(ofTeam, set)) } }),
    () => ({ change: { kind: "team-sets", before: ids(ofTeam), after: some % 3 ? ids(["keep"]) : [] } }),
    () => {
      const [before, after] = [ids(ofCampaign), ids(toggled(ofCampaign, set))];
      return campaign ? { change: { kind: "campaign-sets", campaign, before, after } } : undefined;
    },
    () => ({
      change: { kind: "set-keys", sets: [{ setId: uuidOf(set), before: ofSet, after: toggled(ofSet, key) }] },
    }),
    changeMember,
    changeMember,
    () => ({
      statement: ofTeam.includes(set)
        ? `delete from public.team_p_sets where team_id = 'east' and permission_set_id = '${uuidOf(set)}'`
        : `insert into public.team_p_sets (team_id, permission_set_id) values ('east', '${uuidOf(set)}')`,
    }),
    () => ({
      statement: ofSet.includes(key)
        ? `delete from public.permission_set_keys where permission_set_id = '${uuidOf(set)}' and key = '${key}'`
        : `insert into public.permission_set_keys (permission_set_id, key) values ('${uuidOf(set)}', '${key}')`,
    }),
    () => {
      const statement = statementOf(world, team_id, { who, kind: some, one, other, some: one, broad });
      return statement === undefined ? undefined : { statement };
    },
  ];
  const act = isNone && broad ? changeMember() : chosen(acts, kind)?.(); // soon an administrator again
  if (!act) return undefined;
  return "change" in act ? { actor, change: { team: team_id, ...act.change } } : { actor, ...act };
}

const managersOfEast = (world: World) =>
  userNames.filter((user) => {
    const held = expectedSnapshot(world, { user, team: team_id, campaign: null }).permissionKeys;
    return held.includes("members.manage") || held.includes("roles.manage");
  });
