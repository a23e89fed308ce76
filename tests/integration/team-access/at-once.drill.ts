// What happens when people change the same at the same time. Pairs of different changes: pairs-at-once.drill.ts.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { invite } from "../../support/invite.ts";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, callFor, makeAdministeredTeam } from "./administered-team.ts";

let database: TestDatabase;
let team: AdministeredTeam;
let other: Person; // a second administrator
beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeAdministeredTeam(database);
  other = await database.signUp("other");
});
afterAll(() => database.close());
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
        ? callFor(database, number % 4 === 0 ? admin : other, "change_access", {
            p_change: { team: "riverside", kind: "create-role", name: `Role ${number}`, scope: "assigned" },
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
