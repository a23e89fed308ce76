import { expect, test } from "vitest";
import { administeredTeam } from "../team-access/administered-team.ts";

type Entry = {
  id: number;
  actor_id: string | null;
  actor_name: string | null;
  database_role: string;
  action: string;
  table_name: string;
  team_id: string | null;
  campaign_id: string | null;
  subject_id: string | null;
  subject_name: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

const { sql, id, role, make } = administeredTeam(async () => {
  const [drivers, driving] = [
    await make("roles", "riverside", "Drivers"),
    await make("permission_sets", "riverside", "Driving"),
  ];
  await sql("insert into public.role_p_sets values ($1, $2)", [drivers, driving]);
  await sql(
    "insert into public.campaign_user_team_sets select user_id, 'riverside', 'clean-water', $1 from public.profiles where name = 'canvasser'",
    [driving],
  );
});

const entries = (since = 0) => sql<Entry>("select * from public.audit_log where id > $1 order by id", [since]);
const lastId = async () => (await entries()).at(-1)?.id;
/** The entries that a statement adds to the log. */
async function logged(statement: string, parameters: unknown[] = []) {
  const since = await lastId();
  await sql(statement, parameters);
  return entries(since);
}

// Each logged table, a change of it in plain SQL, and the place that the entry names.
const [riverside, hillside] = [{ team_id: "riverside" }, { team_id: "hillside" }];
const cleanWater = { ...riverside, campaign_id: "clean-water" };
const clerk = "(select user_id from public.profiles where name = 'clerk')";
const setNamed = (name: string) => `(select id from public.permission_sets where name = '${name}')`;
const roleNamed = (name: string) => `(select id from public.roles where name = '${name}')`;
test.each<[table: string, change: string, expected: Partial<Entry>]>([
  ["teams", "update teams set name = 'Riversides' where id = 'riverside'", riverside],
  ["campaigns", "update campaigns set name = 'X' where id = 'hill-only'", { ...hillside, campaign_id: "hill-only" }],
  [
    "campaign_team",
    "delete from campaign_team where campaign_id = 'safe-streets'",
    { ...riverside, campaign_id: "safe-streets" },
  ],
  ["roles", "insert into roles (team_id, name) values ('riverside', 'X')", riverside],
  ["permission_sets", "insert into permission_sets (team_id, name) values ('riverside', 'X')", riverside],
  ["permission_set_keys", `insert into permission_set_keys values (${setNamed("Driving")}, 'charts.view')`, riverside],
  ["role_p_sets", `insert into role_p_sets values (${roleNamed("Drivers")}, ${setNamed("Chart viewing")})`, riverside],
  [
    "team_p_sets",
    `delete from team_p_sets where team_id = 'hillside' and permission_set_id = ${setNamed("Chart editing")}`,
    hillside,
  ],
  [
    "campaign_team_sets",
    `insert into campaign_team_sets values ('riverside', 'clean-water', ${setNamed("Driving")})`,
    cleanWater,
  ],
  [
    "team_users",
    "update team_users set status = 'active' where status = 'suspended'",
    { ...riverside, subject_name: "suspended" },
  ],
  [
    "campaign_user_roles_team",
    `update campaign_user_roles_team set role_id = ${roleNamed("Canvasser")} where user_id = ${clerk}`,
    { ...cleanWater, subject_name: "clerk" },
  ],
  [
    "campaign_user_team_sets",
    `insert into campaign_user_team_sets values (${clerk}, 'riverside', 'clean-water', ${setNamed("Driving")})`,
    { ...cleanWater, subject_name: "clerk" },
  ],
])(
  "a change of %s in plain SQL is logged with before and after, and without an actor",
  async (table, change, expected) => {
    await sql("set local search_path = public");
    const [entry, ...others] = await logged(change);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ table_name: table, actor_id: null, actor_name: null, ...expected });
    expect(entry?.database_role).not.toBe("");
    const [action = ""] = change.split(" ");
    expect([entry?.action, entry?.before !== null, entry?.after !== null]).toEqual([
      action,
      action !== "insert",
      action !== "delete",
    ]);
  },
);

test("an entry keeps the names that role, set and campaign had", async () => {
  const canvasser = [id("canvasser")];
  const office = `update public.team_users set role_id = ${roleNamed("Office")} where user_id = $1`;
  const [changed] = await logged(office, canvasser);
  expect([changed?.before?.role_name, changed?.after?.role_name]).toEqual(["Field team", "Office"]);
  expect(await logged("delete from public.campaign_user_team_sets where user_id = $1", canvasser)).toMatchObject([
    { action: "delete", before: { permission_set_name: "Driving", campaign_name: "Clean water" }, after: null },
  ]);
});

test("a changed invitation is logged with the names of its campaigns and roles", async () => {
  const campaigns = (name: string) =>
    `jsonb_build_array(jsonb_build_object('id', 'clean-water', 'roleId', ${roleNamed(name)}))`;
  await sql(`insert into public.invitations (team_id, email, role_id, campaigns)
    values ('riverside', 'new@people.test', ${roleNamed("Member")}, ${campaigns("Canvasser")})`);
  const [changed] = await logged(`update public.invitations set campaigns = ${campaigns("Analyst")}`);
  expect([changed?.before?.campaign_roles, changed?.after?.campaign_roles]).toEqual([
    "Clean water as Canvasser",
    "Clean water as Analyst",
  ]);
});

test("rows deleted with an account are logged with the name that the person had", async () => {
  const logs = await logged("delete from auth.users where id = $1", [id("analyst")]);
  const deleted = logs.filter(({ action }) => action === "delete");
  expect(deleted.map(({ table_name, subject_name }) => [table_name, subject_name]).sort()).toEqual([
    ["campaign_user_roles_team", "analyst"],
    ["team_users", "analyst"],
  ]);
});

test("the permission sets of a deleted role are logged under its team", async () => {
  const logs = await logged("delete from public.roles where name = 'Drivers'");
  expect(logs).toMatchObject(
    ["role_p_sets", "roles"].map((table_name) => ({ table_name, action: "delete", ...riverside })),
  );
});

test("a change of a campaign is logged for each of its teams", async () => {
  const changed = await logged("update public.campaigns set signature_goal = 7 where id = 'open-parks'");
  expect(changed.map(({ team_id }) => team_id).sort()).toEqual(["hillside", "riverside"]);
});

test("a campaign added to a team is logged with its name, goal and dates", async () => {
  const goal = { signature_goal: 50000, ends_on: "2027-02-19" };
  await sql("update public.campaigns set signature_goal = 50000, ends_on = '2027-02-19' where id = 'hill-only'");
  const [, entry] = await logged("insert into public.campaign_team values ('riverside', 'hill-only')");
  expect(entry?.after).toEqual({
    ...riverside,
    campaign_id: "hill-only",
    campaign_name: "Hill only",
    run_by: "Hillside",
    ...goal,
  });
});

test("a change by the service role is logged with that role's name, and an update that changes nothing isn't logged", async () => {
  await sql("set local role service_role");
  const rename = "update public.teams set name = 'Hillsides' where id = 'hillside'";
  expect(await logged(rename)).toMatchObject([{ database_role: "service_role", actor_id: null }]);
  expect(await logged(rename)).toEqual([]);
});

test("a function logs the person it acts for, and later statements of the transaction don't", async () => {
  const invitation = (email: string) => `create_invitations($1, 'riverside',
    jsonb_build_array(jsonb_build_object('email', '${email}', 'roleId', '${role("Member")}')), false, true)`;
  const idOf = (email: string) => `(select id from public.invitations where email = '${email}')`;
  const hash = "a".repeat(64);
  const change = (input: object) => `change_access($1, '${JSON.stringify({ team: "riverside", ...input })}', true)`;
  const close = "decline_access_request($1, 'riverside', (select id from public.access_requests))";
  const steps: [who: string, call: string, outcome: string, tables: string[]][] = [
    ["admin", change({ kind: "create-role", name: "Runner", scope: "assigned" }), "done", ["roles"]],
    ["admin", change({ kind: "create-role", name: "Runner", scope: "assigned" }), "name-taken", []],
    ["admin", change({ kind: "leave-team" }), "last-administrator", []],
    ["admin", invitation("outsider@people.test"), "done", ["invitations"]],
    ["admin", invitation("no-address"), "gone", []],
    ["hill", `accept_invitation($1, '${hash}')`, "other-address", []],
    ["outsider", `accept_invitation($1, '${hash}')`, "done", ["invitations", "team_users"]],
    ["outsider", "ask_for_access($1, 'riverside', null, 'members.view')", "asked", ["access_requests"]],
    ["admin", "ask_for_access($1, 'riverside', null, 'members.view')", "already-granted", []],
    ["admin", close, "done", ["access_requests"]],
    ["admin", invitation("new@people.test"), "done", ["invitations"]],
    ["admin", `revoke_invitations($1, 'riverside', array[${idOf("new@people.test")}])`, "done", ["invitations"]],
    ["outsider", change({ kind: "leave-team" }), "done", ["team_users"]],
  ];
  for (const [who, call, outcome, tables] of steps) {
    const since = await lastId();
    expect(await sql(`select public.${call} ->> 'outcome' as outcome`, [id(who)]), call).toEqual([{ outcome }]);
    const made = await entries(since);
    const seen = made.map(({ table_name, actor_id, actor_name }) => [table_name, actor_id, actor_name]);
    expect(seen.sort(), call).toEqual(tables.map((table) => [table, id(who), who]));
    expect(await sql("select private.actor() as actor"), call).toEqual([{ actor: null }]);
    await sql("select public.save_invitation_token(id, $1) from public.invitations", [hash]);
  }
});

test("the team that runs a campaign sees to which teams it is added; other changes are logged once", async () => {
  const seen = (made: Awaited<ReturnType<typeof logged>>) =>
    made.map(({ team_id, after }) => [team_id, Object(after).team_name]);
  const attach = "insert into public.campaign_team (team_id, campaign_id) values ('riverside', 'hill-only')";
  expect(seen(await logged(attach)).sort()).toEqual([
    ["hillside", "Riverside"],
    ["riverside", undefined],
  ]);
  const owned = "insert into public.campaigns (id, name, team_id) values ('own', 'Own', 'hillside')";
  await sql(owned);
  const add = "insert into public.campaign_team (team_id, campaign_id) values ('hillside', 'own')";
  expect(seen(await logged(add))).toEqual([["hillside", undefined]]);
});

test("people who left stay among those that the activity can be filtered by, until they return", async () => {
  const removed = async () => (await sql("select public.removed_members('riverside') as them"))[0]?.them;
  expect(await removed()).toEqual([]);
  await sql("delete from public.team_users where user_id = $1", [id("clerk")]);
  expect(await removed()).toMatchObject([{ userId: id("clerk"), name: "clerk", email: null }]);
  await sql("insert into public.team_users (user_id, team_id, role_id) values ($1, 'riverside', $2)", [
    id("clerk"),
    role("Member"),
  ]);
  expect(await removed()).toEqual([]);
});

test("truncating a table is logged", async () => {
  const [entry] = await logged("truncate public.team_p_sets");
  expect(entry).toMatchObject({ action: "truncate", table_name: "team_p_sets" });
});

const changesOfLog = [
  "update public.audit_log set actor_name = 'Mallory'",
  "delete from public.audit_log",
  "truncate public.audit_log",
];
test.each([
  ...changesOfLog,
  "insert into public.audit_log (action, table_name, database_role) values ('insert', 'teams', 'me')",
])("the service role can't: %s", async (statement) => {
  await sql("set local role service_role");
  await expect(sql(statement)).rejects.toThrow(/permission denied/);
});

test.each(changesOfLog)("not even the database owner can: %s", async (statement) => {
  await expect(sql(statement)).rejects.toThrow(/can't be changed or deleted/);
});

const activity = async (filter: object, limit = 100) => {
  const args = [JSON.stringify(filter), limit];
  const [row] = await sql<{ rows: Entry[] }>(
    "select public.team_activity('riverside', $1::text::jsonb, $2) as rows",
    args,
  );
  return row?.rows ?? [];
};
const ids = (rows: Entry[]) => rows.map(({ id }) => id);

test("the activity lists the entries of the team, newest first, in pages", async () => {
  const all = (await entries()).filter(({ team_id }) => team_id === "riverside").toReversed();
  expect(ids(await activity({}, 1000))).toEqual(ids(all));
  const first = await activity({}, 3);
  const second = await activity({ before: first.at(-1)?.id }, 3);
  expect(ids([...first, ...second])).toEqual(ids(all.slice(0, 6)));
});

test("the activity is filtered by table, actor, subject, campaign and by days in the team's time zone", async () => {
  const places = await activity({ tables: ["campaign_user_roles_team"], subject: id("clerk") });
  expect(places).toMatchObject([{ table_name: "campaign_user_roles_team", subject_name: "clerk" }]);
  expect(await activity({ actor: id("admin") })).toEqual([]);
  await sql(
    "insert into public.invitations (team_id, email, role_id) select 'riverside', 'new@people.test', id from public.roles where name = 'Member'",
  );
  expect(await activity({ subject: "new@people.test" })).toMatchObject([
    { table_name: "invitations", action: "insert" },
  ]);
  await sql("update public.invitations set revoked_at = now() where email = 'new@people.test'");
  await sql(
    `insert into public.invitations (team_id, email, role_id, accepted_at, accepted_by)
     select 'riverside', 'new@people.test', id, now(), $1 from public.roles where name = 'Member'`,
    [id("clerk")],
  );
  const invited = { table_name: "invitations", subject_id: id("clerk"), subject_name: "clerk" };
  expect(await activity({ tables: ["invitations"], subject: id("clerk") })).toMatchObject([invited, invited, invited]);
  const inCampaign = await activity({ campaign: "clean-water" });
  expect(new Set(inCampaign.map(({ campaign_id }) => campaign_id))).toEqual(new Set(["clean-water"]));

  await sql("update public.teams set time_zone = 'Pacific/Auckland' where id = 'riverside'");
  const [row] = await sql<{ today: string; tomorrow: string }>(
    "select d::text as today, (d + 1)::text as tomorrow from cast(now() at time zone 'Pacific/Auckland' as date) d",
  );
  const all = await activity({}, 1000);
  expect(ids(await activity({ from: row?.today, to: row?.today }, 1000))).toEqual(ids(all));
  expect(await activity({ from: row?.tomorrow })).toEqual([]);
});
