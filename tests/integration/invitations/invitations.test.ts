import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invite as inviteAs } from "../../support/invite.ts";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";
import { type AdministeredTeam, administeredRows, makeAdministeredTeam } from "../team-access/administered-team.ts";

let database: TestDatabase;
let team: AdministeredTeam;
let helper: Person; // manages members and searches voters, and holds nothing else
beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeAdministeredTeam(database);
  helper = await database.signUp("helper");
  await database.sql("insert into public.permission_sets (team_id, name) values ('riverside', 'Helping')");
  await database.sql("insert into public.roles (team_id, name) values ('riverside', 'Helper'), ('riverside', 'Empty')");
  await database.sql(
    "insert into public.permission_set_keys select id, k from public.permission_sets, unnest(array['members.manage', 'members.view', 'roles.manage', 'voters.search']) k where name = 'Helping'",
  );
  await database.sql(
    "insert into public.role_p_sets select r.id, s.id from public.roles r, public.permission_sets s where r.name = 'Helper' and s.name = 'Helping'",
  );
  await database.sql(
    "insert into public.team_users (user_id, team_id, role_id, status) select $1, 'riverside', id, 'active' from public.roles where name = 'Helper'",
    [helper.id],
  );
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql("delete from public.invitations");
  await database.sql("delete from public.team_users where user_id = $1", [team.person("outsider").id]);
});

const roleNamed = async (name: string) => {
  const [row] = await database.sql<{ id: string }>("select id from public.roles where name = $1", [name]);
  return row?.id;
};

async function invite(by: Person, { email = "outsider@people.test", role = "Field team", into = "riverside" } = {}) {
  return inviteAs(database, by, { team: into, email, roleId: await roleNamed(role) });
}
const call = async (name: string, { id }: Person, given: object) => {
  const { body } = await database.rest(`rpc/${name}`, { as: "service", body: { p_actor_id: id, ...given } });
  return body;
};
const accept = (by: Person, hash: string) => call("accept_invitation", by, { p_token_hash: hash });
const membership = (name: string) =>
  database.sql(
    "select t.team_id, r.name as role, t.status from public.team_users t join public.roles r on r.id = t.role_id where t.user_id = $1",
    [team.person(name).id],
  );

test("an invitation lasts seven days, makes its address an active member, once, and notes her", async () => {
  const { hash, body } = await invite(team.person("admin"), { email: " Outsider@People.test " });
  expect(body).toMatchObject({ outcome: "done" });
  const [stored] = await database.sql<{ days: number; email: string }>(
    "select extract(day from expires_at - created_at)::int as days, email from public.invitations",
  );
  expect(stored).toEqual({ days: 7, email: "outsider@people.test" });
  expect(await membership("outsider")).toEqual([]);

  await database.sql("delete from public.permission_changes");
  expect(await accept(team.person("outsider"), hash)).toEqual({
    outcome: "done",
    team: "riverside",
    campaign: null,
  });
  expect(await membership("outsider")).toEqual([{ team_id: "riverside", role: "Field team", status: "active" }]);
  expect(await database.sql("select distinct user_id from public.permission_changes")).toEqual([
    { user_id: team.person("outsider").id },
  ]);

  const before = await administeredRows(database);
  expect(await accept(team.person("outsider"), hash)).toEqual({ outcome: "used" });
  await database.sql("update public.team_users set status = 'suspended' where user_id = $1", [
    team.person("outsider").id,
  ]);
  expect(await accept(team.person("outsider"), hash)).toEqual({ outcome: "used" });
  expect(await membership("outsider")).toEqual([{ team_id: "riverside", role: "Field team", status: "suspended" }]);
  expect(before).not.toEqual({});
});

describe("a link lets nobody in", () => {
  const refused = async (as: Person, hash: string, outcome: string) => {
    const before = await administeredRows(database);
    expect(await accept(as, hash)).toEqual({ outcome });
    expect(await administeredRows(database)).toEqual(before);
  };

  test("with another address", async () => {
    const { hash } = await invite(team.person("admin"));
    await refused(team.person("hill"), hash, "other-address");
    expect(await membership("outsider")).toEqual([]);
  });

  test("whose address is not confirmed to be her own", async () => {
    const { hash } = await invite(team.person("admin"));
    const { id } = team.person("outsider");
    const [confirmed] = await database.sql<{ at: string }>(
      "select email_confirmed_at::text as at from auth.users where id = $1",
      [id],
    );
    await database.sql("update auth.users set email_confirmed_at = null where id = $1", [id]);
    await refused(team.person("outsider"), hash, "other-address");
    await database.sql("update auth.users set email_confirmed_at = $2::timestamptz where id = $1", [id, confirmed?.at]);
    expect(await accept(team.person("outsider"), hash)).toMatchObject({ outcome: "done" });
  });

  test("that was never made", async () => {
    await refused(team.person("outsider"), "0".repeat(64), "no-invitation");
  });

  test("that was revoked", async () => {
    const { hash, id } = await invite(team.person("admin"));
    const revoke = (team: string) => call("revoke_invitation", helper, { p_team_id: team, p_id: id });
    expect(await revoke("hillside")).toEqual({ outcome: "not-allowed" });
    expect(await revoke("riverside")).toEqual({ outcome: "done" });
    await refused(team.person("outsider"), hash, "revoked");
    expect(await revoke("riverside")).toEqual({ outcome: "not-open" });
  });

  test("that has expired", async () => {
    const { hash } = await invite(team.person("admin"));
    await database.sql("update public.invitations set expires_at = now()");
    await refused(team.person("outsider"), hash, "expired");
  });

  test("who is suspended, nor one who is in already", async () => {
    const { hash } = await invite(team.person("admin"));
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'suspended')",
      [team.person("outsider").id, team.roles.Member],
    );
    await refused(team.person("outsider"), hash, "suspended");
    await database.sql("update public.team_users set status = 'active' where user_id = $1", [
      team.person("outsider").id,
    ]);
    await refused(team.person("outsider"), hash, "in-team-already");
  });

  test("when the one who made it manages members no more", async () => {
    const { hash } = await invite(helper);
    await database.sql("update public.team_users set status = 'suspended' where user_id = $1", [helper.id]);
    await refused(team.person("outsider"), hash, "inviter-may-not");
    await database.sql("update public.team_users set status = 'active' where user_id = $1", [helper.id]);
    expect(await accept(team.person("outsider"), hash)).toMatchObject({ outcome: "done" });
  });

  test("to more than the one who made it holds, though the role has grown since", async () => {
    const { hash, body } = await invite(helper, { role: "Empty" });
    expect(body).toMatchObject({ outcome: "done" });
    const empty = await roleNamed("Empty");
    await database.sql("insert into public.role_p_sets values ($1, $2)", [empty, team.sets["Chart building"]]);
    await refused(team.person("outsider"), hash, "inviter-may-not");
    await database.sql("delete from public.role_p_sets where role_id = $1", [empty]);
  });
});

test("nobody adds what is not hers to give to a role that somebody is invited to", async () => {
  const grow = {
    kind: "role-sets",
    team: "riverside",
    roleId: await roleNamed("Empty"),
    before: [],
    after: [team.sets["Chart building"]],
  };
  const grown = () => call("change_access", helper, { p_change: grow });
  await invite(team.person("admin"), { role: "Empty" });
  const before = await administeredRows(database);
  expect(await grown()).toEqual({ outcome: "more-than-own" });
  expect(await administeredRows(database)).toEqual(before);
  await database.sql("update public.invitations set expires_at = now()");
  expect(await grown()).toEqual({ outcome: "done" }); // nobody has it, nor will
  await database.sql("delete from public.role_p_sets where role_id = $1", [grow.roleId]);
});

test.each(["Administrator", "Office", "Campaign staff"])(
  "nobody invites to what she does not hold: %s",
  async (role) => {
    const before = await administeredRows(database);
    const more = role === "Office" ? "done" : "more-than-own";
    expect((await invite(helper, { role })).body).toMatchObject({ outcome: more });
    if (more !== "done") expect(await administeredRows(database)).toEqual(before);
  },
);

test.each<[string, Parameters<typeof invite>[1], string]>([
  ["a role that is another team's", { role: "Hill guide" }, "gone"],
  ["another team", { into: "hillside" }, "not-allowed"],
  ["a team that is not there", { into: "nowhere" }, "not-allowed"],
  ["what is no address", { email: "nobody" }, "gone"],
])("no invitation is made for %s", async (_what, invitation, outcome) => {
  await database.sql(
    "insert into public.roles (team_id, name) values ('hillside', 'Hill guide') on conflict do nothing",
  );
  const before = await administeredRows(database);
  expect((await invite(team.person("admin"), invitation)).body).toEqual({ outcome });
  expect(await administeredRows(database)).toEqual(before);
});

test("one invitation is open for an address, and none for a member; an expired one makes room", async () => {
  expect((await invite(team.person("admin"))).body).toMatchObject({ outcome: "done" });
  expect((await invite(team.person("admin"))).body).toMatchObject({ made: [], invited: ["outsider@people.test"] });
  expect((await invite(team.person("admin"), { email: "Clerk@people.test" })).body).toMatchObject({
    made: [],
    members: ["clerk@people.test"],
  });
  await database.sql("update public.invitations set expires_at = now()");
  const { hash, body } = await invite(team.person("admin"));
  expect(body).toMatchObject({ outcome: "done" });
  expect(await accept(team.person("outsider"), hash)).toMatchObject({ outcome: "done" });
});

test("the hash is in no table that REST shows, nor in the log", async () => {
  const { hash } = await invite(team.person("admin"));
  for (const path of ["invitations?select=*", "audit_log?select=*"]) {
    const { status, body } = await database.rest(path, { as: "service" });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(hash);
  }
  const headers = { "accept-profile": "private" };
  expect((await database.rest("invitation_tokens", { as: "service", headers })).status).toBe(406);
  expect(
    JSON.stringify(
      (await database.rest("rpc/open_invitations", { as: "service", body: { p_team_id: "riverside" } })).body,
    ),
  ).not.toContain(hash);
});

test("the holder of a link reads what it is for, and the open ones are listed", async () => {
  const { hash } = await invite(team.person("admin"));
  const { body } = await database.rest("rpc/read_invitation", { as: "service", body: { p_token_hash: hash } });
  expect(body).toMatchObject({
    state: "open",
    teamId: "riverside",
    team: "Riverside",
    role: "Field team",
    email: "outsider@people.test",
    invitedBy: "admin",
  });
  const open = await database.rest("rpc/open_invitations", { as: "service", body: { p_team_id: "riverside" } });
  expect(open.body).toMatchObject([
    { email: "outsider@people.test", role: "Field team", invitedBy: "admin", expired: false },
  ]);
  const none = await database.rest("rpc/read_invitation", { as: "service", body: { p_token_hash: "1".repeat(64) } });
  expect(none.body).toBe(null);
});
