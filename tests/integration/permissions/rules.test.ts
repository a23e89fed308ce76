import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyWorld, inQuietWorld, insertUsers, insertWorld, uuidOf, type World } from "../../support/access-world.ts";
import type { Snapshot } from "../../support/permission-oracle.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

let database: TestDatabase;
let session: SqlSession;
beforeAll(async () => {
  database = await openTestDatabase();
  session = await openSqlSession(database);
  await insertUsers(database, ["ann", "ben", "zoe"]);
});
afterAll(async () => {
  await session.close();
  await database.close();
});

// Two teams with a campaign of their own each and one of both. Every set holds one key, named after where it is used:
// what a snapshot shows says which path gave it.
const place = { team_id: "north", campaign_id: "lakes" };
const base: World = {
  ...emptyWorld,
  teams: [{ id: "north" }, { id: "south" }],
  campaigns: [{ id: "lakes" }, { id: "roads" }, { id: "dunes" }],
  campaign_team: [place, { team_id: "north", campaign_id: "roads" }, { team_id: "south", campaign_id: "lakes" }],
  roles: [
    { id: "administrator", team_id: null, scope: "inherit_team" },
    { id: "member", team_id: null, scope: "assigned" },
    { id: "clerk", team_id: "north", scope: "assigned" },
    { id: "bare", team_id: null, scope: "assigned" },
  ],
  ...sets("team_bundle", "administrator_role", "member_role", "clerk_role", "campaign_bundle", "direct", "elsewhere"),
  team_p_sets: [
    { team_id: "north", permission_set_id: "team_bundle" },
    { team_id: "south", permission_set_id: "elsewhere" },
  ],
  role_p_sets: [
    { role_id: "administrator", permission_set_id: "administrator_role" },
    { role_id: "member", permission_set_id: "member_role" },
    { role_id: "clerk", permission_set_id: "clerk_role" },
  ],
  campaign_team_sets: [
    { ...place, permission_set_id: "campaign_bundle" },
    { team_id: "south", campaign_id: "lakes", permission_set_id: "elsewhere" },
  ],
};

const administrator = { user_id: "ann", team_id: "north", role_id: "administrator", status: "active" } as const;
const member = { ...administrator, role_id: "member" };
const bare = { ...administrator, role_id: "bare" };
const clerkInLakes = { user_id: "ann", ...place, role_id: "clerk" };
const directInLakes = { user_id: "ann", ...place, permission_set_id: "direct" };

type Case = [name: string, world: Partial<World>, asked: [team?: string, campaign?: string], expected: Snapshot];

const nothing: Snapshot = { teamAccess: false, permissionKeys: [] };
const nothingThere: Snapshot = { teamAccess: false, campaignAccess: false, permissionKeys: [] };
const inTeam = (...keys: string[]): Snapshot => ({ teamAccess: true, permissionKeys: keysOf(keys) });
const inCampaign = (...keys: string[]): Snapshot => ({ ...inTeam(...keys), campaignAccess: true });
const outside = (...keys: string[]): Snapshot => ({ ...inTeam(...keys), campaignAccess: false });

describe("permissions_snapshot of ann", () => {
  test.each<Case>([
    ["rule 1: an active membership gives teamAccess, and no keys", { team_users: [administrator] }, [], inTeam()],
    ["rule 1: an invited one does not", { team_users: [{ ...member, status: "invited" }] }, [], nothing],
    ["rule 1: a suspended one does not", { team_users: [{ ...member, status: "suspended" }] }, [], nothing],
    ["rule 1: another user's does not", { team_users: [{ ...member, user_id: "ben" }] }, [], nothing],
    [
      "rule 1: one active membership among others is enough",
      {
        team_users: [
          { ...member, status: "suspended" },
          { ...member, team_id: "south" },
        ],
      },
      [],
      inTeam(),
    ],

    ["rule 2: an active membership opens its team", { team_users: [bare] }, ["north"], inTeam()],
    ["rule 2: it does not open another team", { team_users: [bare] }, ["south"], nothing],
    ["rule 2: it does not open a team that is not there", { team_users: [bare] }, ["nowhere"], nothing],
    [
      "rule 2: an invitation does not open the team",
      { team_users: [{ ...bare, status: "invited" }] },
      ["north"],
      nothing,
    ],
    [
      "rule 2: a suspended administrator does not open the team that she is suspended in",
      {
        team_users: [
          { ...administrator, status: "suspended" },
          { ...bare, team_id: "south" },
        ],
      },
      ["north"],
      nothing,
    ],

    [
      "rule 3: scope inherit_team makes an administrator, whatever the role is called",
      {
        roles: [...base.roles, { id: "helper", team_id: "north", scope: "inherit_team" }],
        team_users: [{ ...member, role_id: "helper" }],
      },
      ["north"],
      inTeam("team_bundle"),
    ],
    [
      "rule 3: a role that is only called administrator does not",
      {
        roles: [...base.roles, { id: "Administrator of all", team_id: "north", scope: "assigned" }],
        team_users: [{ ...member, role_id: "Administrator of all" }],
      },
      ["north"],
      inTeam(),
    ],
    [
      "rule 3: an administrator's role in a campaign makes nobody an administrator",
      { team_users: [bare], campaign_user_roles_team: [{ ...clerkInLakes, role_id: "administrator" }] },
      ["north", "lakes"],
      inCampaign("administrator_role"),
    ],

    [
      "rule 4: an administrator holds the team's bundles",
      { team_users: [administrator] },
      ["north"],
      inTeam("team_bundle"),
    ],
    [
      "rule 4: an administrator does not hold her role's bundles, nor another team's",
      { team_users: [administrator], team_p_sets: [{ team_id: "south", permission_set_id: "elsewhere" }] },
      ["north"],
      inTeam(),
    ],
    ["rule 4: a member holds her role's bundles", { team_users: [member] }, ["north"], inTeam("member_role")],
    [
      "rule 4: a member does not hold the team's bundles, nor another role's",
      { team_users: [bare] },
      ["north"],
      inTeam(),
    ],
    [
      "rule 4: a role in a campaign gives nothing in the team",
      { team_users: [bare], campaign_user_roles_team: [clerkInLakes], campaign_user_team_sets: [directInLakes] },
      ["north"],
      inTeam(),
    ],

    [
      "rule 5a: a role in a campaign opens it",
      { team_users: [bare], campaign_user_roles_team: [{ ...clerkInLakes, role_id: "bare" }] },
      ["north", "lakes"],
      inCampaign(),
    ],
    [
      "rule 5a: another member's role does not open it",
      {
        team_users: [bare, { ...bare, user_id: "ben" }],
        campaign_user_roles_team: [{ ...clerkInLakes, user_id: "ben" }],
      },
      ["north", "lakes"],
      outside(),
    ],
    [
      "rule 5a: a role in the same campaign of another team does not open it",
      {
        team_users: [bare, { ...bare, team_id: "south" }],
        campaign_user_roles_team: [{ ...clerkInLakes, team_id: "south", role_id: "member" }],
      },
      ["north", "lakes"],
      outside(),
    ],
    [
      "rule 5a: a suspended member's role does not open it",
      { team_users: [{ ...member, status: "suspended" }], campaign_user_roles_team: [clerkInLakes] },
      ["north", "lakes"],
      nothingThere,
    ],
    [
      "rule 5b: a direct set opens its campaign, even an empty one",
      { permission_set_keys: [], team_users: [bare], campaign_user_team_sets: [directInLakes] },
      ["north", "lakes"],
      inCampaign(),
    ],
    [
      "rule 5b: another member's direct set does not open it",
      {
        team_users: [bare, { ...bare, user_id: "ben" }],
        campaign_user_team_sets: [{ ...directInLakes, user_id: "ben" }],
      },
      ["north", "lakes"],
      outside(),
    ],
    [
      "rule 5b: an invited member's direct set does not open it",
      { team_users: [{ ...member, status: "invited" }], campaign_user_team_sets: [directInLakes] },
      ["north", "lakes"],
      nothingThere,
    ],
    [
      "rule 5c: an administrator reaches all campaigns of the team",
      { team_users: [administrator] },
      ["north", "roads"],
      inCampaign("team_bundle"),
    ],
    [
      "rule 5a: an administrator's role in a campaign that is not the team's opens it",
      { team_users: [administrator], campaign_user_roles_team: [{ ...clerkInLakes, campaign_id: "dunes" }] },
      ["north", "dunes"],
      inCampaign("team_bundle"),
    ],
    [
      "rule 5b: an administrator's direct set in a campaign that is not the team's opens it",
      { team_users: [administrator], campaign_user_team_sets: [{ ...directInLakes, campaign_id: "dunes" }] },
      ["north", "dunes"],
      inCampaign("team_bundle"),
    ],
    [
      "rule 5c: an administrator does not reach a campaign of no team",
      { team_users: [administrator] },
      ["north", "dunes"],
      outside("team_bundle"),
    ],
    [
      "rule 5c: an administrator does not reach another team's campaign",
      {
        team_users: [administrator],
        campaign_team: [{ team_id: "south", campaign_id: "lakes" }],
        campaign_team_sets: [],
      },
      ["north", "lakes"],
      outside("team_bundle"),
    ],
    [
      "rule 5c: a member does not reach the team's campaigns",
      { team_users: [member] },
      ["north", "lakes"],
      outside("member_role"),
    ],

    [
      "rule 6: a campaign among the allowed ones is reached, even one that is not in campaign_team",
      { team_users: [bare], campaign_user_roles_team: [{ ...clerkInLakes, campaign_id: "dunes", role_id: "bare" }] },
      ["north", "dunes"],
      inCampaign(),
    ],
    [
      "rule 6: a campaign beside the allowed ones is not reached",
      { team_users: [bare], campaign_user_roles_team: [clerkInLakes] },
      ["north", "roads"],
      outside(),
    ],

    [
      "rule 7: an administrator holds the campaign's bundles",
      { team_users: [administrator], team_p_sets: [] },
      ["north", "lakes"],
      inCampaign("campaign_bundle"),
    ],
    [
      "rule 7: an administrator holds neither her role in the campaign nor her direct sets",
      {
        team_users: [administrator],
        team_p_sets: [],
        campaign_team_sets: [],
        campaign_user_roles_team: [clerkInLakes],
        campaign_user_team_sets: [directInLakes],
      },
      ["north", "lakes"],
      inCampaign(),
    ],
    [
      "rule 7: an administrator does not hold another campaign's bundles",
      { team_users: [administrator], team_p_sets: [] },
      ["north", "roads"],
      inCampaign(),
    ],
    [
      "rule 7: an administrator holds the bundles of a campaign that she does not reach",
      { team_users: [administrator], team_p_sets: [], campaign_team: [] },
      ["north", "lakes"],
      outside("campaign_bundle"),
    ],
    [
      "rule 7: a member holds the bundles of her role in the campaign",
      { team_users: [bare], campaign_user_roles_team: [clerkInLakes] },
      ["north", "lakes"],
      inCampaign("clerk_role"),
    ],
    [
      "rule 7: a member does not hold there what her role in another campaign gives",
      {
        team_users: [bare],
        campaign_user_roles_team: [
          { ...clerkInLakes, role_id: "bare" },
          { ...clerkInLakes, campaign_id: "roads" },
        ],
      },
      ["north", "lakes"],
      inCampaign(),
    ],
    [
      "rule 7: a member holds her direct sets",
      { team_users: [bare], campaign_user_team_sets: [directInLakes] },
      ["north", "lakes"],
      inCampaign("direct"),
    ],
    [
      "rule 7: a member does not hold the direct sets of another campaign, nor the campaign's bundles",
      {
        team_users: [bare],
        campaign_user_roles_team: [{ ...clerkInLakes, role_id: "bare" }],
        campaign_user_team_sets: [{ ...directInLakes, campaign_id: "roads" }],
      },
      ["north", "lakes"],
      inCampaign(),
    ],
    [
      "rule 7: a member of two teams does not hold in one what she holds in the other",
      {
        team_users: [bare, { ...bare, team_id: "south" }],
        campaign_user_roles_team: [{ ...clerkInLakes, role_id: "bare" }],
        campaign_user_team_sets: [{ ...directInLakes, team_id: "south" }],
      },
      ["north", "lakes"],
      inCampaign(),
    ],

    [
      "rule 8: an administrator holds team and campaign keys together",
      { team_users: [administrator] },
      ["north", "lakes"],
      inCampaign("team_bundle", "campaign_bundle"),
    ],
    [
      "rule 8: a member holds the keys of all three paths together",
      { team_users: [member], campaign_user_roles_team: [clerkInLakes], campaign_user_team_sets: [directInLakes] },
      ["north", "lakes"],
      inCampaign("member_role", "clerk_role", "direct"),
    ],
    [
      "rule 8: a key of several paths stands once",
      {
        team_users: [member],
        role_p_sets: ["member", "clerk"].map((role_id) => ({ role_id, permission_set_id: "direct" })),
        campaign_user_roles_team: [clerkInLakes],
        campaign_user_team_sets: [directInLakes, { ...directInLakes, permission_set_id: "elsewhere" }],
        permission_set_keys: [...base.permission_set_keys, { permission_set_id: "elsewhere", key: "key.direct" }],
      },
      ["north", "lakes"],
      inCampaign("direct", "elsewhere"),
    ],
    [
      "rule 8: campaign keys are not held without the campaign",
      { team_users: [member], campaign_user_roles_team: [clerkInLakes], campaign_user_team_sets: [directInLakes] },
      ["north"],
      inTeam("member_role"),
    ],
  ])("%s", async (_, world, [team, campaign], expected) => {
    const [snapshot, held] = await inQuietWorld(session, { ...base, ...world }, async () => [
      await snapshotOf("ann", team, campaign),
      await heldAt("ann", team, campaign),
    ]);
    expect(snapshot).toEqual(expected);
    const isOpen = expected.campaignAccess ?? expected.teamAccess;
    expect(held, "private.holds_at").toEqual(isOpen ? expected.permissionKeys : []);
  });

  test("keys are in the order of their code points", async () => {
    const keys = ["ab.z", "a_b.a", "a.z", "b.a", "a.a_b", "a.ab"];
    const world = {
      ...base,
      permission_keys: keys.map((key) => ({ key })),
      permission_set_keys: keys.map((key) => ({ permission_set_id: "member_role", key })),
      team_users: [member],
    };
    expect(await inQuietWorld(session, world, () => snapshotOf("ann", "north"))).toEqual({
      teamAccess: true,
      permissionKeys: ["a.a_b", "a.ab", "a.z", "a_b.a", "ab.z", "b.a"],
    });
  });
});

describe("permission_grants names the rule, the table and the set", () => {
  const grantsOf = (team: string | null, campaign: string | null) =>
    session.sql("select * from public.permission_grants($1::uuid, $2, $3) order by rule, source, key", [
      uuidOf("ann"),
      team,
      campaign,
    ]);
  const reason = (rule: number, source: string, set: string | null = null, key: string | null = set) => ({
    key: key === null ? null : `key.${key}`,
    rule,
    source,
    permission_set_id: set === null ? null : uuidOf(set),
  });

  test("of an administrator", async () => {
    const world = { ...base, team_users: [administrator], campaign_user_team_sets: [directInLakes] };
    expect(await inQuietWorld(session, world, () => grantsOf("north", "lakes"))).toEqual([
      reason(2, "team_users"),
      reason(4, "team_p_sets", "team_bundle"),
      reason(5, "campaign_team"),
      reason(5, "campaign_user_team_sets", "direct", null),
      reason(7, "campaign_team_sets", "campaign_bundle"),
    ]);
  });

  test("of a member", async () => {
    const world = {
      ...base,
      team_users: [member],
      campaign_user_roles_team: [clerkInLakes],
      campaign_user_team_sets: [directInLakes],
    };
    expect(await inQuietWorld(session, world, () => grantsOf("north", "lakes"))).toEqual([
      reason(2, "team_users"),
      reason(4, "role_p_sets", "member_role"),
      reason(5, "campaign_user_roles_team"),
      reason(5, "campaign_user_team_sets", "direct", null),
      reason(7, "campaign_user_team_sets", "direct"),
      reason(7, "role_p_sets", "clerk_role"),
    ]);
  });

  test("of any membership, when no team is asked for", async () => {
    const world = { ...base, team_users: [member] };
    expect(await inQuietWorld(session, world, () => grantsOf(null, null))).toEqual([reason(1, "team_users")]);
  });

  test("and has no row for a suspended member", async () => {
    const world = {
      ...base,
      team_users: [{ ...administrator, status: "suspended" as const }],
      campaign_user_roles_team: [clerkInLakes],
      campaign_user_team_sets: [directInLakes],
    };
    const rows = await inQuietWorld(session, world, async () => [
      ...(await grantsOf("north", "lakes")),
      ...(await grantsOf(null, null)),
    ]);
    expect(rows).toEqual([]);
  });
});

describe("a campaign without its team", () => {
  test("is an error, never an answer", async () => {
    await expect(snapshotOf("ann", undefined, "lakes")).rejects.toThrow("A campaign needs its team.");
  });

  test("is an error over REST", async () => {
    const body = { p_user_id: uuidOf("ann"), p_campaign_id: "lakes" };
    expect(await database.rest("rpc/permissions_snapshot", { as: "service", body })).toEqual({
      status: 400,
      body: { code: "22023", details: null, hint: null, message: "A campaign needs its team." },
    });
  });
});

// REST cuts lists at 1000 rows without a word (traps.md, Supabase 1).
describe("beyond 1000 rows", () => {
  const keys = many(1100, (letters) => `many.${letters}`);
  const campaigns = many(1100, (letters) => `many-${letters}`);

  const first = campaigns.at(0) ?? "";
  const last = campaigns.at(-1) ?? "";

  // All keys are team keys in one team, and keys of the last of all campaigns in the other.
  beforeAll(async () => {
    const role_id = "large-administrator";
    await insertWorld(database, {
      ...emptyWorld,
      permission_keys: keys.map((key) => ({ key })),
      teams: [{ id: "deep" }, { id: "wide" }],
      campaigns: campaigns.map((id) => ({ id })),
      campaign_team: campaigns.map((campaign_id) => ({ team_id: "wide", campaign_id })),
      roles: [{ id: role_id, team_id: null, scope: "inherit_team" }],
      permission_sets: [{ id: "large-set", team_id: null }],
      permission_set_keys: keys.map((key) => ({ permission_set_id: "large-set", key })),
      team_users: ["deep", "wide"].map((team_id) => ({ user_id: "zoe", team_id, role_id, status: "active" })),
      team_p_sets: [{ team_id: "deep", permission_set_id: "large-set" }],
      campaign_team_sets: [{ team_id: "wide", campaign_id: last, permission_set_id: "large-set" }],
    });
  });

  test.each([
    ["SQL", (team: string, campaign?: string) => snapshotOf("zoe", team, campaign)],
    [
      "REST",
      async (p_team_id: string, p_campaign_id?: string) => {
        const body = { p_user_id: uuidOf("zoe"), p_team_id, p_campaign_id };
        const answer = await database.rest("rpc/permissions_snapshot", { as: "service", body });
        expect(answer.status).toBe(200);
        return answer.body;
      },
    ],
  ])("a snapshot holds each key and knows each campaign, over %s", async (_, ask) => {
    expect(await ask("deep")).toEqual({ teamAccess: true, permissionKeys: keys });
    expect(await ask("wide", first)).toEqual({ teamAccess: true, campaignAccess: true, permissionKeys: [] });
    expect(await ask("wide", last)).toEqual({ teamAccess: true, campaignAccess: true, permissionKeys: keys });
    expect(await ask("wide", "many-none")).toEqual({ teamAccess: true, campaignAccess: false, permissionKeys: [] });
  });

  test("permission_places has each campaign and each key, over REST", async () => {
    const answer = await database.rest("rpc/permission_places", { as: "service", body: { p_user_id: uuidOf("zoe") } });
    const team = (id: string) => ({ id, name: id, timeZone: "UTC", locale: "en-US" });
    expect(answer).toEqual({
      status: 200,
      body: {
        teams: [
          { ...team("deep"), permissionKeys: keys, campaigns: [] },
          {
            ...team("wide"),
            permissionKeys: [],
            campaigns: campaigns.map((id) => ({
              id,
              name: id,
              archivedAt: null,
              permissionKeys: id === last ? keys : [],
            })),
          },
        ],
      },
    });
  });
});

async function snapshotOf(user: string, team?: string, campaign?: string) {
  const [row] = await session.sql<{ snapshot: unknown }>(
    "select public.permissions_snapshot($1::uuid, $2, $3) as snapshot",
    [uuidOf(user), team ?? null, campaign ?? null],
  );
  return row?.snapshot;
}

// The keys to which private.holds_at says yes.
async function heldAt(user: string, team?: string, campaign?: string) {
  const rows = await session.sql<{ key: string }>(
    `select k.key from public.permission_keys k where private.holds_at($1::uuid, $2, $3, k.key) order by k.key collate "C"`,
    [uuidOf(user), team ?? null, campaign ?? null],
  );
  return rows.map(({ key }) => key);
}

// Built-in sets with one key each, called after the set.
function sets(...names: string[]) {
  return {
    permission_keys: names.map((name) => ({ key: `key.${name}` })),
    permission_sets: names.map((id) => ({ id, team_id: null })),
    permission_set_keys: names.map((name) => ({ permission_set_id: name, key: `key.${name}` })),
  };
}

function keysOf(names: string[]) {
  return names.map((name) => `key.${name}`).sort();
}

// Texts in the order of their code points; keys may hold no digits.
function many(count: number, name: (letters: string) => string) {
  const letter = (number: number) => String.fromCharCode(97 + (number % 26));
  return Array.from({ length: count }, (_, n) =>
    name(letter(Math.floor(n / 676)) + letter(Math.floor(n / 26)) + letter(n)),
  );
}
