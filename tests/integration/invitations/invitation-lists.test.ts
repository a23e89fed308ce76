import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { invite } from "../../support/invite.ts";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";
import {
  type AdministeredTeam,
  administeredRows,
  demoNames,
  makeAdministeredTeam,
} from "../team-access/administered-team.ts";

// Many invited at once, with campaigns; what it would give; the first one of a team.

let database: TestDatabase;
let team: AdministeredTeam;
let helper: Person; // manages members and enters signatures in the whole team, and reaches clean-water alone
beforeAll(async () => {
  database = await openTestDatabase();
  team = await makeAdministeredTeam(database);
  helper = await database.signUp("helper");
  await database.sql("insert into public.permission_sets (team_id, name) values ('riverside', 'Helping')");
  await database.sql("insert into public.roles (team_id, name) values ('riverside', 'Helper'), ('hillside', 'Guide')");
  await database.sql(
    "insert into public.permission_set_keys select id, k from public.permission_sets, unnest(array['members.manage', 'members.view', 'voters.search', 'campaign.view']) k where name = 'Helping'",
  );
  await database.sql(
    "insert into public.role_p_sets select r.id, s.id from public.roles r, public.permission_sets s where r.name = 'Helper' and s.name = 'Helping'",
  );
  await database.sql(
    "insert into public.team_users (user_id, team_id, role_id, status) select $1, 'riverside', id, 'active' from public.roles where name = 'Helper'",
    [helper.id],
  );
  await database.sql(
    "insert into public.campaign_user_roles_team select $1, 'riverside', 'clean-water', id from public.roles where name = 'Canvasser' and team_id is null",
    [helper.id],
  );
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.sql("delete from public.invitations");
  await database.sql("delete from public.team_users where user_id = $1", [team.person("outsider").id]);
});

type Asked = { email: string; roleId?: string | undefined; name?: string; campaigns?: object[] };
const call = async (name: string, { id }: Person, given: object) => {
  const { body } = await database.rest(`rpc/${name}`, { as: "service", body: { p_actor_id: id, ...given } });
  return body as Record<string, unknown>;
};
const create = (by: Person, invitations: Asked[], { mail = false, keep = true, into = "riverside" } = {}) =>
  call("create_invitations", by, { p_team_id: into, p_invitations: invitations, p_mail: mail, p_keep: keep });
const asked = (email: string, campaign?: string, role = "Canvasser"): Asked => ({
  email,
  roleId: team.roles.Member,
  campaigns: campaign ? [{ id: campaign, roleId: team.roles[role] }] : [],
});
const accept = (by: Person, hash: string) => call("accept_invitation", by, { p_token_hash: hash });
const resend = (by: Person, id?: string) => call("resend_invitation", by, { p_team_id: "riverside", p_id: id });
const campaignsOf = (name: string) =>
  database.sql(
    "select t.campaign_id, r.name as role from public.campaign_user_roles_team t join public.roles r on r.id = t.role_id where t.user_id = $1 order by 1",
    [team.person(name).id],
  );

describe("campaigns come with an invitation", () => {
  test("who accepts has her roles in them, is called as she was named, and lands in the first", async () => {
    const { hash } = await invite(database, team.person("admin"), {
      team: "riverside",
      ...asked("outsider@people.test", "safe-streets"),
      campaigns: [
        { id: "safe-streets", roleId: team.roles.Canvasser },
        { id: "clean-water", roleId: team.roles["Signature clerk"] },
      ],
      roleId: team.roles.Member,
    });
    expect(await accept(team.person("outsider"), hash)).toEqual({
      outcome: "done",
      team: "riverside",
      campaign: "clean-water",
    });
    expect(await campaignsOf("outsider")).toEqual([
      { campaign_id: "clean-water", role: "Signature clerk" },
      { campaign_id: "safe-streets", role: "Canvasser" },
    ]);
  });

  test("one that has left the team meanwhile is not given, the others are", async () => {
    const { hash } = await invite(database, team.person("admin"), {
      team: "riverside",
      email: "outsider@people.test",
      roleId: team.roles.Member,
      campaigns: [
        { id: "open-parks", roleId: team.roles.Canvasser },
        { id: "clean-water", roleId: team.roles.Canvasser },
      ],
    });
    await database.sql("delete from public.campaign_team where team_id = 'riverside' and campaign_id = 'open-parks'");
    expect(await accept(team.person("outsider"), hash)).toMatchObject({ outcome: "done", campaign: "clean-water" });
    expect(await campaignsOf("outsider")).toEqual([{ campaign_id: "clean-water", role: "Canvasser" }]);
    await database.sql("insert into public.campaign_team values ('riverside', 'open-parks')");
  });

  test("a role that somebody is invited to in a campaign is not deleted before that is over", async () => {
    const [role] = await database.sql<{ id: string }>(
      "insert into public.roles (team_id, name) values ('riverside', 'Driver') returning id",
    );
    const admin = team.person("admin");
    await create(admin, [{ ...asked("new@people.test"), campaigns: [{ id: "clean-water", roleId: role?.id }] }]);
    const deletion = () =>
      call("change_access", admin, { p_change: { kind: "delete-role", team: "riverside", roleId: role?.id } });
    expect(await deletion()).toEqual({ outcome: "in-use" });
    await database.sql("update public.invitations set revoked_at = now()");
    expect(await deletion()).toEqual({ outcome: "done" });
  });

  test("a name is hers only while she has none of her own", async () => {
    const named = async (email: string, by: string, name: string) => {
      const made = await create(team.person("admin"), [{ ...asked(email), name }]);
      const [{ id } = { id: "" }] = made.made as { id: string }[];
      await database.rest("rpc/keep_invitation_token", {
        as: "service",
        body: { p_id: id, p_token_hash: "c".repeat(64) },
      });
      expect(await accept(team.person(by), "c".repeat(64))).toMatchObject({ outcome: "done" });
      const [profile] = await database.sql<{ name: string }>("select name from public.profiles where user_id = $1", [
        team.person(by).id,
      ]);
      return profile?.name;
    };
    expect(await named("outsider@people.test", "outsider", "Nell Varga")).toBe("Nell Varga");
    await database.sql("delete from public.team_users where user_id = $1", [team.person("outsider").id]);
    await database.sql("delete from public.invitations");
    expect(await named("outsider@people.test", "outsider", "Somebody Else")).toBe("Nell Varga");
    await database.sql("update public.profiles set name = 'outsider' where user_id = $1", [team.person("outsider").id]);
  });
});

describe("nobody gives by a list what she could not give by hand", () => {
  test.each<[string, string, string, string]>([
    ["a role with more keys than her own there", "clean-water", "Signature clerk", "more-than-own"],
    ["a campaign that is not open to her", "safe-streets", "Canvasser", "more-than-own"],
    ["a campaign of another team", "hill-only", "Canvasser", "gone"],
    ["a role of another team", "clean-water", "Guide", "gone"],
    ["a role that administers", "clean-water", "Administrator", "gone"],
  ])("%s: all of the list is refused, and nothing is different", async (_what, campaign, role, outcome) => {
    const [{ id: guide } = { id: "" }] = await database.sql<{ id: string }>(
      "select id from public.roles where name = 'Guide'",
    );
    const roleId = role === "Guide" ? guide : team.roles[role];
    const list = [
      asked("first@people.test", "clean-water"),
      { ...asked("second@people.test"), campaigns: [{ id: campaign, roleId }] },
    ];
    const before = await administeredRows(database);
    for (const keep of [false, true]) expect(await create(helper, list, { keep, mail: true })).toEqual({ outcome });
    expect(await administeredRows(database)).toEqual(before);
    expect(await database.sql("select 1 from private.invitation_mails")).toEqual([]);
  });

  test("the same campaign does not come twice, with whatever role", async () => {
    const admin = team.person("admin");
    for (const role of ["Canvasser", "Signature clerk"]) {
      const campaigns = ["Canvasser", role].map((name) => ({ id: "clean-water", roleId: team.roles[name] }));
      expect(await create(admin, [{ ...asked("first@people.test"), campaigns }])).toEqual({ outcome: "gone" });
      const row = { team_id: "riverside", email: "x@people.test", role_id: team.roles.Member, campaigns };
      const { body } = await database.rest("invitations", { as: "service", body: row });
      expect(body).toMatchObject({ message: expect.stringContaining("A campaign comes once.") });
    }
  });

  test("what she holds she gives; what she lost since is not given when it is accepted", async () => {
    const { hash, id } = await invite(database, helper, {
      team: "riverside",
      email: "outsider@people.test",
      roleId: team.roles.Member,
      campaigns: [{ id: "clean-water", roleId: team.roles.Canvasser }],
    });
    expect(id).toBeDefined();
    const out = "campaign_user_roles_team where user_id = $1";
    const [place] = await database.sql<{ role_id: string }>(`select role_id from public.${out}`, [helper.id]);
    await database.sql(`delete from public.${out}`, [helper.id]);
    const before = await administeredRows(database);
    expect(await accept(team.person("outsider"), hash)).toEqual({ outcome: "inviter-may-not" });
    expect(await administeredRows(database)).toEqual(before);
    await database.sql("insert into public.campaign_user_roles_team values ($1, 'riverside', 'clean-water', $2)", [
      helper.id,
      place?.role_id,
    ]);
    expect(await accept(team.person("outsider"), hash)).toMatchObject({ outcome: "done" });
  });

  test.each(demoNames.filter((name) => name !== "admin"))(
    "%s neither invites, sends again, revokes, nor looks",
    async (name) => {
      const { id } = await invite(database, team.person("admin"), {
        team: "riverside",
        ...asked("new@people.test"),
        roleId: team.roles.Member,
      });
      await database.sql("insert into private.invitation_mails (invitation_id, state) values ($1, 'sent')", [id]);
      const before = await administeredRows(database);
      const by = team.person(name);
      for (const keep of [false, true])
        expect(await create(by, [asked("b@people.test")], { keep })).toEqual({ outcome: "not-allowed" });
      expect(await resend(by, id)).toEqual({ outcome: "not-allowed" });
      expect(await call("revoke_invitation", by, { p_team_id: "riverside", p_id: id })).toEqual({
        outcome: "not-allowed",
      });
      expect(await administeredRows(database)).toEqual(before);
      expect(await database.sql("select state from private.invitation_mails")).toEqual([{ state: "sent" }]);
    },
  );
});

test("what a list would give is told by address, and nothing is made", async () => {
  const before = await administeredRows(database);
  const list = [
    { ...asked("ada@new.test", "clean-water"), name: "Ada" },
    asked("ben@new.test"),
    { email: "cleo@new.test", roleId: team.roles.Administrator },
    asked("Clerk@people.test"),
  ];
  const told = await create(team.person("admin"), list, { keep: false, mail: true });
  expect(told).toMatchObject({ outcome: "done", members: ["clerk@people.test"], invited: [] });
  expect(told.effects).toMatchObject([
    {
      name: "Ada",
      places: [
        { campaign: null, access: "opens", gains: [] },
        { campaign: { id: "clean-water" }, access: "opens", gains: ["campaign.view", "voters.search"] },
      ],
    },
    { name: "ben@new.test", places: [{ campaign: null, access: "opens", gains: [], losses: [] }] },
    { name: "cleo@new.test", places: [{ campaign: null }, { campaign: { id: "clean-water" } }, {}, {}] },
  ]);
  const [, , cleo] = told.effects as { places: { gains: string[] }[] }[];
  expect(cleo?.places.map(({ gains }) => gains.length)).toEqual([10, 10, 10, 10]);
  expect(await administeredRows(database)).toEqual(before);
  expect(await database.sql("select 1 from private.invitation_mails")).toEqual([]);
});

test("two hundred are invited at once in one statement, each with an e-mail that waits", async () => {
  const list = Array.from({ length: 200 }, (_, number) => asked(`many-${number}@new.test`, "clean-water"));
  const { made } = await create(team.person("admin"), [...list, ...list.slice(0, 5)], { mail: true });
  expect(made).toHaveLength(200);
  const [counts] = await database.sql(
    "select count(*)::int as waiting from private.invitation_mails where state = 'waiting' and tried_at is null",
  );
  expect(counts).toEqual({ waiting: 200 });
  expect(await create(team.person("admin"), list, { mail: true })).toMatchObject({ made: [] });
});

test("one that has expired is made anew in the name of whoever sends it again, judged again", async () => {
  const { id } = await invite(database, team.person("admin"), {
    team: "riverside",
    email: "outsider@people.test",
    roleId: team.roles.Member,
    campaigns: [{ id: "clean-water", roleId: team.roles["Signature clerk"] }],
  });
  await database.sql("update public.invitations set expires_at = now()");
  const before = await administeredRows(database);
  expect(await resend(helper, id)).toEqual({ outcome: "more-than-own" });
  expect(await administeredRows(database)).toEqual(before);
  const join =
    "insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active')";
  await database.sql(join, [team.person("outsider").id, team.roles.Member]);
  expect(await resend(team.person("admin"), id)).toEqual({ outcome: "member-by-now" });
  await database.sql("delete from public.team_users where user_id = $1", [team.person("outsider").id]);
  expect(await resend(team.person("admin"), id)).toMatchObject({ outcome: "done" });
  expect(
    await database.sql(
      "select i.revoked_at is null as open, m.state from public.invitations i left join private.invitation_mails m on m.invitation_id = i.id order by i.created_at",
    ),
  ).toEqual([
    { open: false, state: null },
    { open: true, state: "waiting" },
  ]);
  expect(await resend(team.person("admin"), id)).toEqual({ outcome: "not-open" });
});

describe("the first one of a team", () => {
  const found = async (p_email = "outsider@people.test", p_name = "Lake district", p_id = "lake-district") => {
    const { status, body } = await database.rest("rpc/found_team", {
      as: "service",
      body: { p_id, p_name, p_email, p_time_zone: "America/New_York", p_locale: "en-US" },
    });
    return status === 200 ? (body as { outcome: string; id?: string }) : { outcome: String(status) };
  };

  test("is made its administrator by an invitation of nobody, once; asked again, the same one is sent again", async () => {
    const first = await found();
    expect(first).toEqual({ outcome: "invited", id: expect.any(String) });
    await database.sql("update private.invitation_mails set state = 'sent'");
    expect(await found()).toEqual(first);
    expect(await database.sql("select state from private.invitation_mails")).toEqual([{ state: "waiting" }]);
    expect(await found("other@people.test", "Another name")).toEqual({ outcome: "id-taken", name: "Lake district" });

    const hash = "f".repeat(64);
    await database.rest("rpc/keep_invitation_token", { as: "service", body: { p_id: first.id, p_token_hash: hash } });
    expect(await accept(team.person("hill"), hash)).toEqual({ outcome: "other-address" });
    expect(await accept(team.person("outsider"), hash)).toEqual({
      outcome: "done",
      team: "lake-district",
      campaign: null,
    });
    const { body } = await database.rest("rpc/permissions_snapshot", {
      as: "service",
      body: { p_user_id: team.person("outsider").id, p_team_id: "lake-district", p_campaign_id: null },
    });
    expect(body).toMatchObject({ teamAccess: true });
    expect((body as { permissionKeys: string[] }).permissionKeys).toHaveLength(10);
    expect(await found()).toEqual({ outcome: "administers-already" });
    expect(await found("other@people.test")).toEqual({ outcome: "has-administrators" });
    expect(await accept(team.person("outsider"), hash)).toEqual({ outcome: "used" });
  });
});
