// What happens when people change the same at the same time: on a PostgreSQL server where the machine has one, on which
// requests run beside each other; else one after the other.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invite } from "../../support/invite.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, administeredRows, callFor, makeAdministeredTeam } from "./administered-team.ts";

const server = await startPostgres();
if (!server) console.log("There is no PostgreSQL on this machine: what is sent at once is done one after the other.");

let database: TestDatabase;
let team: AdministeredTeam;
let other: Person; // a second administrator
beforeAll(async () => {
  database = await openTestDatabase(server?.url);
  team = await makeAdministeredTeam(database);
  other = await database.signUp("other");
});
afterAll(async () => {
  await database?.close();
  await server?.stop();
});
beforeEach(async () => {
  await database.sql("delete from public.team_users where user_id = $1", [other.id]);
  await database.sql(
    "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active')",
    [other.id, team.roles.Administrator],
  );
  await database.sql("update public.team_users set role_id = $2, status = 'active' where user_id = $1", [
    team.person("admin").id,
    team.roles.Administrator,
  ]);
});

const outcomeOf = async (as: Person, change: object) => {
  const { body } = await callFor(database, as, "change_access", { p_change: { team: "riverside", ...change } });
  return typeof body === "object" && body !== null && "outcome" in body ? body.outcome : body;
};
const toMember = (userId: string, role: string, after: { role?: string; status: string } | null) => ({
  kind: "members",
  members: [
    {
      userId,
      before: { roleId: team.roles[role], status: "active" },
      after: after && { roleId: team.roles[after.role ?? role], status: after.status },
    },
  ],
});
const times = 6;

test("two administrators suspend each other: one is in time, and one stays", async () => {
  const admin = team.person("admin");
  for (let round = 0; round < times; round++) {
    const outcomes = await Promise.all([
      outcomeOf(admin, toMember(other.id, "Administrator", { status: "suspended" })),
      outcomeOf(other, toMember(admin.id, "Administrator", { status: "suspended" })),
    ]);
    expect(outcomes.sort()).toEqual(["done", "not-allowed"]);
    const active = await database.sql(
      "select 1 from private.active_members where team_id = 'riverside' and is_team_admin",
    );
    expect(active).toHaveLength(1);
    await database.sql("update public.team_users set status = 'active' where role_id = $1", [team.roles.Administrator]);
  }
});

test("of two who remove and demote the last two administrators, one is told that one must stay", async () => {
  const staff = team.person("staff");
  await database.sql("insert into public.permission_sets (team_id, name) values ('riverside', 'Managing')");
  await database.sql(
    "insert into public.permission_set_keys select id, k from public.permission_sets, unnest(array['members.manage', 'members.view']) k where name = 'Managing'",
  );
  await database.sql("insert into public.roles (team_id, name) values ('riverside', 'Manager')");
  await database.sql(
    "insert into public.role_p_sets select r.id, s.id from public.roles r, public.permission_sets s where r.name = 'Manager' and s.name = 'Managing'",
  );
  await database.sql(
    "update public.team_users set role_id = (select id from public.roles where name = 'Manager') where user_id = $1",
    [staff.id],
  );
  const outcomes = await Promise.all([
    outcomeOf(staff, toMember(other.id, "Administrator", null)),
    outcomeOf(staff, toMember(team.person("admin").id, "Administrator", { role: "Member", status: "active" })),
  ]);
  expect(outcomes.sort()).toEqual(["done", "last-administrator"]);
});

describe("administrators manage by two sets, and somebody takes each", () => {
  const administration = () => team.sets["Team administration"] ?? "";
  const bundle = () =>
    database.sql<{ id: string }>(
      "select permission_set_id as id from public.team_p_sets where team_id = 'riverside' order by 1",
    );
  let second = "";
  let all: string[] = [];
  beforeAll(async () => {
    // Ruth has all that administrators have, so that it is hers to take.
    const ruth = team.person("canvasser").id;
    await database.sql(
      `with made as (insert into public.permission_sets (team_id, name) values ('riverside', 'Second') returning id),
         role as (insert into public.roles (team_id, name) values ('riverside', 'Ruth') returning id),
         keys as (insert into public.permission_set_keys select made.id, k from made,
           unnest(array['members.view', 'members.manage', 'roles.manage']) k)
       update public.team_users set role_id = (select id from role) where user_id = $1`,
      [ruth],
    );
    await database.sql(
      "insert into public.role_p_sets select r.id, s.id from public.roles r, public.permission_sets s where r.name = 'Ruth' and s.team_id is null",
    );
    await database.sql(
      "insert into public.campaign_user_roles_team select $1, 'riverside', campaign_id, $2 from public.campaign_team where team_id = 'riverside' on conflict do nothing",
      [ruth, team.roles.Member],
    );
    const [row] = await database.sql<{ id: string }>("select id from public.permission_sets where name = 'Second'");
    second = row?.id ?? "";
    all = [...Object.values(team.sets), second].sort();
  });
  beforeEach(async () => {
    await database.sql("insert into public.team_p_sets select 'riverside', unnest($1::uuid[]) on conflict do nothing", [
      all,
    ]);
  });
  afterAll(async () => {
    await database.sql("delete from public.team_p_sets where permission_set_id = $1", [second]);
    await database.sql("update public.team_users set role_id = $1 where user_id = $2", [
      team.roles["Field team"],
      team.person("canvasser").id,
    ]);
  });

  test.each(["other", "canvasser"])("over REST, at once with %s: they keep one of the two", async (name) => {
    for (let round = 0; round < times; round++) {
      const remove = (as: Person, id: string) =>
        database.rest(`team_p_sets?team_id=eq.riverside&permission_set_id=eq.${id}`, { as, method: "DELETE" });
      const answers = await Promise.all([
        remove(team.person("admin"), administration()),
        remove(name === "other" ? other : team.person(name), second),
      ]);
      const [done, refused] = answers.sort((one, another) => one.status - another.status);
      expect(done?.status).toBe(204);
      expect(refused?.status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(refused?.body)).toContain("keep managing its members and roles");
      const left = (await bundle()).map(({ id }) => id);
      expect([administration(), second].filter((id) => left.includes(id))).toHaveLength(1);
      await database.sql(
        "insert into public.team_p_sets select 'riverside', unnest($1::uuid[]) on conflict do nothing",
        [all],
      );
    }
  });

  test("as changes: the keys of the one while the other is taken from them", async () => {
    const managing = ["members.manage", "members.view", "roles.manage"];
    for (let round = 0; round < times; round++) {
      const outcomes = await Promise.all([
        outcomeOf(team.person("admin"), {
          kind: "team-sets",
          before: all,
          after: all.filter((id) => id !== administration()),
        }),
        outcomeOf(other, { kind: "set-keys", sets: [{ setId: second, before: managing, after: [] }] }),
      ]);
      expect(outcomes.sort()).toEqual(["administrators-stripped", "done"]);
      await database.sql(
        "insert into public.permission_set_keys select $1, unnest($2::text[]) on conflict do nothing",
        [second, managing],
      );
      await database.sql(
        "insert into public.team_p_sets select 'riverside', unnest($1::uuid[]) on conflict do nothing",
        [all],
      );
    }
  });
});

test("a change sent twice is made once, and logged once", async () => {
  const clerk = team.person("clerk").id;
  const [{ id: last = 0 } = {}] = await database.sql<{ id: number }>("select max(id)::int as id from public.audit_log");
  const change = toMember(clerk, "Field team", { role: "Office", status: "active" });
  const outcomes = await Promise.all(Array.from({ length: times }, () => outcomeOf(other, change)));
  expect(outcomes.sort()).toEqual(["done", ...Array.from({ length: times - 1 }, () => "unchanged")]);
  expect(await database.sql("select 1 from public.audit_log where id > $1", [last])).toHaveLength(1);
  await database.sql("update public.team_users set role_id = $1 where user_id = $2", [team.roles["Field team"], clerk]);
});

test("of two different changes of one member, one wins whole and the other is told", async () => {
  const clerk = team.person("clerk").id;
  const place = { userId: clerk, campaign: "clean-water" };
  const before = { roleId: team.roles["Signature clerk"], setIds: [] };
  const wanted = [
    { roleId: team.roles.Canvasser, setIds: [team.sets["Chart reading"]] },
    { roleId: team.roles.Analyst, setIds: [team.sets["Signature reading"]] },
  ];
  const outcomes = await Promise.all(
    wanted.map((after) => outcomeOf(other, { kind: "campaigns", places: [{ ...place, before, after }] })),
  );
  expect([...outcomes].sort()).toEqual(["done", "stale"]);
  const [stored] = await database.sql(
    `select (select role_id from public.campaign_user_roles_team where user_id = $1) as "roleId",
       (select jsonb_agg(permission_set_id) from public.campaign_user_team_sets where user_id = $1) as "setIds"`,
    [clerk],
  );
  expect(stored).toEqual(wanted[outcomes.indexOf("done")]);
});

test("a form that shows how it was is refused whole, also where a part of it still holds", async () => {
  const rows = await administeredRows(database);
  const [clerk, canvasser] = [team.person("clerk").id, team.person("canvasser").id];
  const members = [clerk, canvasser].map((userId) => ({
    userId,
    before: { roleId: team.roles[userId === clerk ? "Field team" : "Office"], status: "active" },
    after: { roleId: team.roles.Member, status: "active" },
  }));
  expect(await outcomeOf(other, { kind: "members", members })).toBe("stale");
  expect(await administeredRows(database)).toEqual(rows);
});

test("a role, a permission set and a campaign of one name are made once", async () => {
  const texts = { name: "Twice", signatureGoal: null, startsOn: null, endsOn: null, archived: false };
  for (const [change, told] of [
    [{ kind: "create-role", name: "Twice", scope: "assigned" }, "name-taken"],
    [{ kind: "create-set", after: { name: "Twice", description: null } }, "name-taken"],
    [{ kind: "create-campaign", campaign: "twice", after: texts }, "id-taken"],
  ] as const) {
    const outcomes = await Promise.all([outcomeOf(other, change), outcomeOf(team.person("admin"), change)]);
    expect(outcomes.sort(), change.kind).toEqual(["done", told].sort());
  }
  expect(await database.sql("select team_id from public.campaign_team where campaign_id = 'twice'")).toHaveLength(1);
});

test("a link that is opened twice at once lets in once", async () => {
  const asked = { team: "riverside", email: "outsider@people.test", roleId: team.roles.Member };
  const made = await Promise.all([invite(database, other, asked), invite(database, other, asked)]);
  const [{ hash } = { hash: "" }, ...others] = made.filter(({ id }) => id);
  expect(others).toEqual([]);
  const as = team.person("outsider");
  const accepted = await Promise.all(
    Array.from({ length: times }, () => callFor(database, as, "accept_invitation", { p_token_hash: hash })),
  );
  const outcomes = accepted.map(({ body }) => (JSON.stringify(body).includes('"done"') ? "done" : body));
  expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome !== "done")).toEqual(
    Array.from({ length: times - 1 }, () => ({ outcome: "used" })),
  );
});

test("twenty changes and statements at once end without a deadlock", async () => {
  const admin = team.person("admin");
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      number % 2 === 0
        ? database.rest("rpc/change_access", {
            as: number % 4 === 0 ? admin : other,
            body: { p_change: { team: "riverside", kind: "create-role", name: `Role ${number}`, scope: "assigned" } },
          })
        : database.rest(`team_users?user_id=eq.${team.person("analyst").id}`, {
            as: "service",
            method: "PATCH",
            body: { status: number % 4 === 1 ? "suspended" : "active" },
          }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]));
});
