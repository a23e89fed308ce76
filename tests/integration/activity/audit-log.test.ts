import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, makeAdministeredTeam } from "../team-access/administered-team.ts";

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

let database: TestDatabase;
let session: SqlSession;
let team: AdministeredTeam;
beforeAll(async () => {
  database = await openTestDatabase();
  session = await openSqlSession(database);
  team = await makeAdministeredTeam(database);
});
afterAll(async () => {
  await session.close();
  await database.close();
});

const entries = (since = 0) => session.sql<Entry>("select * from public.audit_log where id > $1 order by id", [since]);
const lastId = async () => (await entries()).at(-1)?.id ?? 0;

// Every logged table, with a way to change it by plain SQL and the place where that shows.
const bySql: [table: string, statement: string, expected: Partial<Entry>][] = [
  ["teams", "update public.teams set name = 'Riversides' where id = 'riverside'", { team_id: "riverside" }],
  [
    "campaigns",
    "update public.campaigns set name = 'Hills' where id = 'hill-only'",
    { team_id: "hillside", campaign_id: "hill-only" },
  ],
  [
    "campaign_team",
    "delete from public.campaign_team where campaign_id = 'safe-streets'",
    { team_id: "riverside", campaign_id: "safe-streets" },
  ],
  ["roles", "insert into public.roles (team_id, name) values ('riverside', 'Drivers')", { team_id: "riverside" }],
  [
    "permission_sets",
    "insert into public.permission_sets (team_id, name) values ('riverside', 'Driving')",
    { team_id: "riverside" },
  ],
  [
    "permission_set_keys",
    "insert into public.permission_set_keys select id, 'charts.view' from public.permission_sets where name = 'Driving'",
    { team_id: "riverside" },
  ],
  [
    "role_p_sets",
    "insert into public.role_p_sets select r.id, s.id from public.roles r, public.permission_sets s where r.name = 'Drivers' and s.name = 'Driving'",
    { team_id: "riverside" },
  ],
  [
    "team_p_sets",
    "delete from public.team_p_sets where team_id = 'hillside' and permission_set_id = (select id from public.permission_sets where name = 'Chart building')",
    { team_id: "hillside" },
  ],
  [
    "campaign_team_sets",
    "insert into public.campaign_team_sets select 'riverside', 'clean-water', id from public.permission_sets where name = 'Driving'",
    { team_id: "riverside", campaign_id: "clean-water" },
  ],
  [
    "team_users",
    "update public.team_users set status = 'active' where status = 'suspended'",
    { team_id: "riverside", subject_name: "suspended" },
  ],
  [
    "campaign_user_roles_team",
    "update public.campaign_user_roles_team set role_id = (select id from public.roles where name = 'Canvasser') where user_id = (select user_id from public.profiles where name = 'clerk')",
    { team_id: "riverside", campaign_id: "clean-water", subject_name: "clerk" },
  ],
  [
    "campaign_user_team_sets",
    "insert into public.campaign_user_team_sets select user_id, 'riverside', 'clean-water', s.id from public.profiles, public.permission_sets s where profiles.name = 'clerk' and s.name = 'Driving'",
    { team_id: "riverside", campaign_id: "clean-water", subject_name: "clerk" },
  ],
];

test.each(bySql)(
  "a change of %s by plain SQL is logged, with before and after and no actor",
  async (table, statement, expected) => {
    const since = await lastId();
    await session.sql(statement);
    const logged = await entries(since);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({ table_name: table, actor_id: null, actor_name: null, ...expected });
    expect(logged[0]?.database_role).not.toBe("");
    const { action, before, after } = logged[0] ?? { action: "", before: null, after: null };
    expect([before !== null, after !== null]).toEqual(
      { insert: [false, true], update: [true, true], delete: [true, false] }[action],
    );
  },
);

test("the names of role, set and campaign are kept as they were", async () => {
  const since = await lastId();
  await session.sql("update public.team_users set role_id = $1 where user_id = $2", [
    team.roles.Office,
    team.person("canvasser").id,
  ]);
  await session.sql("delete from public.campaign_user_team_sets");
  const [changed, deleted] = await entries(since);
  expect([changed?.before?.role_name, changed?.after?.role_name]).toEqual(["Field team", "Office"]);
  expect(deleted).toMatchObject({
    action: "delete",
    before: { permission_set_name: "Driving", campaign_name: "Clean water" },
    after: null,
  });
});

test("what goes with a deleted account is logged with the name that she had", async () => {
  const since = await lastId();
  await session.sql("delete from auth.users where id = (select user_id from public.profiles where name = 'analyst')");
  const gone = (await entries(since)).filter(({ action }) => action === "delete");
  expect(gone.map(({ table_name, subject_name }) => [table_name, subject_name])).toEqual(
    expect.arrayContaining([
      ["team_users", "analyst"],
      ["campaign_user_roles_team", "analyst"],
    ]),
  );
  expect(new Set(gone.map(({ subject_name }) => subject_name))).toEqual(new Set(["analyst"]));
});

test("what a deleted role bundled is logged under its team", async () => {
  const since = await lastId();
  await session.sql("delete from public.roles where name = 'Drivers'");
  expect((await entries(since)).map(({ table_name, action, team_id }) => [table_name, action, team_id])).toEqual([
    ["role_p_sets", "delete", "riverside"],
    ["roles", "delete", "riverside"],
  ]);
});

test("a campaign of several teams is logged for each of them", async () => {
  const since = await lastId();
  await session.sql("update public.campaigns set signature_goal = 7 where id = 'open-parks'");
  expect((await entries(since)).map(({ team_id }) => team_id).sort()).toEqual(["hillside", "riverside"]);
});

test("a campaign that comes into a team is logged with its name, goal and days", async () => {
  await session.undone(async () => {
    await session.sql(
      "update public.campaigns set signature_goal = 50000, ends_on = '2027-02-19' where id = 'hill-only'",
    );
    const since = await lastId();
    await session.sql("insert into public.campaign_team values ('riverside', 'hill-only')");
    const after = {
      ...{ team_id: "riverside", campaign_id: "hill-only", campaign_name: "Hills" },
      signature_goal: 50000,
    };
    expect((await entries(since)).map((entry) => entry.after)).toEqual([{ ...after, ends_on: "2027-02-19" }]);
  });
});

test("a change over REST has the service role's name, and an update that changes nothing is not logged", async () => {
  const since = await lastId();
  const patch = () =>
    database.rest("teams?id=eq.hillside", { as: "service", method: "PATCH", body: { name: "Hillsides" } });
  expect((await patch()).status).toBe(204);
  expect((await patch()).status).toBe(204);
  expect((await entries(since)).map(({ database_role, actor_id }) => [database_role, actor_id])).toEqual([
    ["service_role", null],
  ]);
});

test("what is done for a person is logged as theirs, and nothing else is that follows in the transaction", async () => {
  const invitation = (email: string) => `create_invitations($1, 'riverside',
    jsonb_build_array(jsonb_build_object('email', '${email}', 'roleId', '${team.roles.Member}')), false, true)`;
  const idOf = (email: string) => `(select id from public.invitations where email = '${email}')`;
  const hash = "a".repeat(64);
  const change = (asked: object) => `change_access($1, '${JSON.stringify({ team: "riverside", ...asked })}')`;
  const steps: [who: string, call: string, outcome: string, tables: string[]][] = [
    ["admin", change({ kind: "create-role", name: "Runner", scope: "assigned" }), "done", ["roles"]],
    ["admin", change({ kind: "create-role", name: "Runner", scope: "assigned" }), "name-taken", []],
    ["admin", change({ kind: "leave-team" }), "last-administrator", []],
    ["admin", invitation("outsider@people.test"), "done", ["invitations"]],
    ["admin", invitation("nobody"), "gone", []],
    ["hill", `accept_invitation($1, '${hash}')`, "other-address", []],
    ["outsider", `accept_invitation($1, '${hash}')`, "done", ["team_users", "invitations"]],
    ["outsider", "ask_for_access($1, 'riverside', null, 'members.view')", "asked", ["access_requests"]],
    ["admin", "ask_for_access($1, 'riverside', null, 'members.view')", "held", []],
    [
      "admin",
      "close_access_request($1, 'riverside', (select id from public.access_requests))",
      "done",
      ["access_requests"],
    ],
    ["admin", invitation("new@people.test"), "done", ["invitations"]],
    ["admin", `revoke_invitation($1, 'riverside', ${idOf("new@people.test")})`, "done", ["invitations"]],
    ["outsider", change({ kind: "leave-team" }), "done", ["access_requests", "team_users"]],
  ];
  await session.undone(async () => {
    for (const [who, call, outcome, tables] of steps) {
      const since = await lastId();
      const [answered] = await session.sql(`select public.${call} ->> 'outcome' as outcome`, [team.person(who).id]);
      expect(answered, call).toEqual({ outcome });
      const logged = (await entries(since)).map(({ table_name, actor_id, actor_name }) => [
        table_name,
        actor_id,
        actor_name,
      ]);
      expect(logged.sort(), call).toEqual(tables.sort().map((table) => [table, team.person(who).id, who]));
      expect(await session.sql("select private.actor() as actor"), call).toEqual([{ actor: null }]);
      await session.sql(`select public.keep_invitation_token(id, $1) from public.invitations`, [hash]);
    }
  });
});

test("a change that is rolled back leaves no entry", async () => {
  const since = await lastId();
  await session.undone(async () => {
    await session.sql("update public.teams set name = 'Elsewhere' where id = 'riverside'");
    expect(await entries(since)).toHaveLength(1);
  });
  expect(await entries(since)).toEqual([]);
});

test("truncating a table is logged", async () => {
  const since = await lastId();
  await session.undone(async () => {
    await session.sql("truncate public.team_p_sets");
    expect(await entries(since)).toMatchObject([{ action: "truncate", table_name: "team_p_sets" }]);
  });
});

test("the service role can neither write, change nor delete an entry over REST", async () => {
  const before = await entries();
  const one = { action: "insert", table_name: "teams", team_id: "riverside", database_role: "me" };
  for (const [method, path, body] of [
    ["POST", "audit_log", one],
    ["PATCH", `audit_log?id=eq.${before[0]?.id}`, { actor_name: "nobody" }],
    ["DELETE", `audit_log?id=eq.${before[0]?.id}`, undefined],
    ["DELETE", "audit_log", undefined],
  ] as const) {
    const { status } = await database.rest(path, { as: "service", method, body });
    expect([400, 403], `${method} ${path}`).toContain(status);
  }
  expect(await entries()).toEqual(before);
});

test.each([
  "update public.audit_log set actor_name = 'nobody'",
  "delete from public.audit_log",
  "truncate public.audit_log",
])("not even the owner of the database: %s", async (statement) => {
  const before = await entries();
  await expect(session.sql(statement)).rejects.toThrow(/only added to/);
  expect(await entries()).toEqual(before);
});

const activity = async (filter: object, limit = 100) => {
  const { body } = await database.rest("rpc/team_activity", {
    as: "service",
    body: { p_team_id: "riverside", p_filter: filter, p_limit: limit },
  });
  return Array.isArray(body) ? body : [];
};

test("the activity is the team's, newest first, page by page", async () => {
  const all = (await entries())
    .filter(({ team_id }) => team_id === "riverside")
    .map(({ id }) => id)
    .reverse();
  expect((await activity({}, 1000)).map(({ id }) => id)).toEqual(all);
  const first = await activity({}, 3);
  const second = await activity({ before: first.at(-1)?.id }, 3);
  expect([...first, ...second].map(({ id }) => id)).toEqual(all.slice(0, 6));
});

test("the activity is narrowed by table, actor, subject, campaign and days of the team's zone", async () => {
  const clerk = team.person("clerk").id;
  const since = (await activity({ tables: ["campaign_user_roles_team"], subject: clerk })).map(
    ({ table_name, subject_name }) => [table_name, subject_name],
  );
  expect(since.length).toBeGreaterThan(0);
  expect(new Set(since.map(String))).toEqual(new Set(["campaign_user_roles_team,clerk"]));
  expect(await activity({ actor: team.person("admin").id })).toEqual([]);
  const inCampaign = await activity({ campaign: "clean-water" });
  expect(new Set(inCampaign.map(({ campaign_id }) => campaign_id))).toEqual(new Set(["clean-water"]));

  await session.sql("update public.teams set time_zone = 'Pacific/Auckland' where id = 'riverside'");
  const [row] = await session.sql<{ today: string; tomorrow: string }>(
    `select (now() at time zone 'Pacific/Auckland')::date::text as today,
       ((now() at time zone 'Pacific/Auckland')::date + 1)::text as tomorrow`,
  );
  const all = (await activity({}, 1000)).length;
  expect(await activity({ from: row?.today, to: row?.today }, 1000)).toHaveLength(all);
  expect(await activity({ from: row?.tomorrow })).toEqual([]);
});
