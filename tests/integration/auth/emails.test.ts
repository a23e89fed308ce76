// Emails that Signet itself sends: who gets which, and their queue.
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { setUpTestDatabase } from "../../support/test-database.ts";
import { makeAdministeredTeam } from "../team-access/administered-team.ts";

const database = await setUpTestDatabase();
const team = await makeAdministeredTeam(database);
const queued = async () =>
  (
    await database.sql<{ email: string }>(
      `select e.kind || ' to ' || split_part(u.email, '@', 1) as email from private.emails e
       join auth.users u on u.id = e.user_id where e.state = 'waiting' order by 1`,
    )
  ).map(({ email }) => email);
beforeEach(async () => {
  await database.sql(
    "delete from private.emails; delete from public.access_requests; delete from private.email_choices",
  );
  await call("claim_email", { p_has_server: true });
});

async function call(name: string, body: object) {
  const response = await database.rest(`rpc/${name}`, { as: "service", body });
  if (response.status >= 300) throw new Error(JSON.stringify(response.body));
  return response.body;
}
const mailSchema = z.object({ id: z.string(), email: z.string(), kind: z.string(), content: z.looseObject({}) });
const claim = async () => mailSchema.nullable().parse(await call("claim_email", { p_has_server: true }));
const requestAccess = (who: string, p_key: string, p_reason?: string) =>
  call("ask_for_access", {
    p_actor_id: team.person(who).id,
    p_team_id: "riverside",
    p_campaign_id: null,
    p_key,
    p_reason,
  });
const decline = async () => {
  const [{ id } = {}] = await database.sql("select id from public.access_requests where closed_at is null");
  return call("decline_access_request", {
    p_actor_id: team.person("admin").id,
    p_team_id: "riverside",
    p_id: id,
    p_answer: "Not now",
  });
};
const pass = (minutes: number) =>
  database.sql(
    "update private.emails set created_at = created_at - $1 * interval '1 minute', tried_at = tried_at - $1 * interval '1 minute'",
    [minutes],
  );

test("without a mail server nothing is queued, and no emails are offered", async () => {
  expect(await call("claim_email", { p_has_server: false })).toBe(null);
  await requestAccess("clerk", "roles.manage");
  expect(await queued()).toEqual([]);
  const choices = () => call("email_choices", { p_user_id: team.person("clerk").id });
  expect(await choices()).toMatchObject({ available: false });
  await claim();
  expect(await choices()).toMatchObject({ available: true, requests: true });
});

test("a request is emailed to those who can decide, and its answer to who asked", async () => {
  await requestAccess("clerk", "roles.manage", "To add a role");
  expect(await queued()).toEqual(["request to admin"]);
  const reason = "To add a role";
  expect(await claim()).toMatchObject({
    email: "admin@people.test",
    kind: "request",
    content: {
      team: "Riverside",
      name: "clerk",
      permission: "Change roles and permission sets",
      place: "Riverside",
      reason,
    },
  });
  await decline();
  expect(await queued()).toEqual(["answer to clerk", "request to admin"]);
  expect(await claim()).toMatchObject({
    email: "clerk@people.test",
    kind: "answer",
    content: { granted: false, reason, answer: "Not now" },
  });
  expect(await claim()).toBe(null);
});

test("a member is emailed what another person changes of their membership, with their name", async () => {
  const { id: userId } = team.person("clerk");
  const active = { roleId: team.roles["Field team"], status: "active" };
  const suspended = { ...active, status: "suspended" };
  const member = { ...active, roleId: team.roles.Member };
  const change = async (before: object, after: object | null) => {
    const p_change = { kind: "members", team: "riverside", members: [{ userId, before, after }] };
    const p_actor_id = team.person("admin").id;
    expect(await call("change_access", { p_actor_id, p_change, p_commit: true })).toMatchObject({ outcome: "done" });
    return claim();
  };
  const mailOf = (change: string, role: string | null) => ({
    email: "clerk@people.test",
    kind: "membership",
    content: { team: "Riverside", by: "admin", change, role },
  });
  expect(await change(active, suspended)).toMatchObject(mailOf("suspended", "Field team"));
  expect(await change(suspended, active)).toMatchObject(mailOf("restored", "Field team"));
  expect(await change(active, member)).toMatchObject(mailOf("role", "Member"));
  expect(await change({ ...member, endsOn: null }, { ...member, endsOn: "2999-01-01" })).toBe(null);
  expect(await change(member, null)).toMatchObject(mailOf("removed", null));
  await database.sql(
    "insert into public.team_users (user_id, team_id, role_id, status) values ($1, $2, $3, 'active')",
    [userId, "riverside", active.roleId],
  );
});

test("a role that grants a request is announced in one email, which names it", async () => {
  await requestAccess("clerk", "members.view");
  const before = { roleId: team.roles["Field team"], status: "active" };
  const members = [{ userId: team.person("clerk").id, before, after: { ...before, roleId: team.roles.Office } }];
  const p_change = { kind: "members", team: "riverside", members };
  await call("change_access", { p_actor_id: team.person("admin").id, p_change, p_commit: true });
  expect(await queued()).toEqual(["answer to clerk", "request to admin"]);
  expect(await claim()).toMatchObject({ kind: "answer", content: { granted: true, grants: "the Office role" } });
});

test.each([
  ["accepted", "set accepted_at = now(), accepted_by = $1", true],
  ["declined", "set revoked_at = now(), declined = true where $1::uuid is not null", false],
])("who sent an invitation is emailed when it is %s, if they want it", async (_how, answered, accepted) => {
  const { id: outsider } = team.person("outsider");
  for (const isWanted of [true, false]) {
    await database.sql("delete from public.invitations");
    await database.sql(
      "insert into public.invitations (team_id, email, role_id, invited_by) values ('riverside', 'outsider@people.test', $1, $2)",
      [team.roles.Member, team.person("admin").id],
    );
    const p_user_id = team.person("admin").id;
    await call("choose_emails", { p_user_id, p_requests: isWanted, p_digest: false });
    await database.sql(`update public.invitations ${answered}`, [outsider]);
    const person = accepted ? "outsider" : "outsider@people.test";
    const content = { team: "Riverside", person, email: "outsider@people.test", accepted };
    const mail = await claim();
    if (isWanted) expect(mail).toMatchObject({ email: "admin@people.test", kind: "invitation", content });
    else expect(mail).toBe(null);
  }
});

test("requests of a team are emailed at most every 15 minutes, each of them, and all that wait in one email", async () => {
  await requestAccess("clerk", "roles.manage");
  await requestAccess("staff", "roles.manage");
  const first = await claim();
  expect(first).toMatchObject({ content: { name: "clerk", others: [{ name: "staff", place: "Riverside" }] } });
  await requestAccess("clerk", "members.manage");
  await call("finish_email", { p_id: first?.id, p_state: "sent" });
  expect(await queued()).toEqual(["request to admin"]); // asked while the first was sent
  await requestAccess("analyst", "roles.manage");
  await pass(1);
  expect(await claim()).toBe(null);
  await database.sql(
    "update public.access_requests set closed_at = now(), granted = true where key = 'members.manage'",
  );
  await database.sql("delete from private.emails where kind = 'answer'");
  await pass(15);
  const mail = await claim();
  expect(mail).toMatchObject({ content: { name: "analyst" } });
  expect(mail?.content.others).toHaveLength(2);
  expect(await queued()).toEqual(["request to admin"]);
});

test("requests that a failed email named are emailed again", async () => {
  await requestAccess("clerk", "roles.manage");
  await requestAccess("staff", "roles.manage");
  await call("finish_email", { p_id: (await claim())?.id, p_state: "failed" });
  await pass(15);
  expect(await claim()).toMatchObject({ content: { name: "staff", others: [{ name: "clerk" }] } });
});

test("a team's first twenty deciders get it", async () => {
  const ids = await database.sql<{ id: string }>(
    `insert into auth.users (id, email, email_confirmed_at)
     select gen_random_uuid(), 'many' || n || '@people.test', now() from generate_series(1, 25) n returning id`,
  );
  await database.sql(
    "insert into public.team_users (user_id, team_id, role_id, status) select unnest($1::uuid[]), 'riverside', $2, 'active'",
    [ids.map(({ id }) => id), team.roles.Administrator],
  );
  await requestAccess("clerk", "roles.manage");
  expect(await queued()).toHaveLength(20);
  await database.sql("delete from auth.users where email like 'many%'");
});

test.each<[why: string, given: string]>([
  ["was answered in the application", "update public.access_requests set closed_at = now() where user_id = '{clerk}'"],
  [
    "is about a team they no longer manage",
    "update public.team_users set status = 'suspended' where user_id = '{admin}'",
  ],
  ["is about a deleted request", "delete from public.access_requests where user_id = '{clerk}'"],
  ["they don't want", "select public.choose_emails('{admin}', false, true)"],
  ["goes to an address that isn't confirmed", "update auth.users set email_confirmed_at = null where id = '{admin}'"],
])("an email isn't sent that %s", async (_why, input) => {
  await requestAccess("clerk", "roles.manage");
  await database.sql(input.replace(/{(\w+)}/, (_, name) => team.person(name).id));
  expect((await claim())?.email).not.toBe("admin@people.test");
  await database.sql("update public.team_users set status = 'active' where user_id = $1", [team.person("admin").id]);
  await database.sql("update auth.users set email_confirmed_at = now()");
});

test("an email is claimed for two minutes, tried five times, and not sent after a day", async () => {
  await requestAccess("clerk", "roles.manage");
  for (const minutes of [5, 9, 17, 33, 1]) {
    const mail = await claim();
    expect(mail).not.toBe(null);
    expect(await claim()).toBe(null);
    await call("finish_email", { p_id: mail?.id, p_state: "again" });
    await pass(minutes);
  }
  expect(await database.sql("select state, tries from private.emails")).toEqual([{ state: "failed", tries: 5 }]);
  await requestAccess("staff", "roles.manage");
  await pass(25 * 60);
  expect(await claim()).toBe(null);
  await pass(30 * 24 * 60);
  await call("purge_emails", {});
  expect(await database.sql("select from private.emails")).toEqual([]);
});

const setZone = (isMorning: boolean) =>
  database.sql(
    `update public.teams set time_zone = (select z.name from pg_timezone_names z where z.name like 'Etc/GMT%'
       and extract(hour from now() at time zone z.name) between case when $1 then 8 else 13 end and case when $1 then 10 else 22 end
       order by z.name limit 1) where id = 'riverside'`,
    [isMorning],
  );
const choose = (who: string, p_digest: boolean) =>
  call("choose_emails", { p_user_id: team.person(who).id, p_requests: true, p_digest });

test("a digest is queued once a day, in the team's morning, for members who want it", async () => {
  await choose("analyst", true);
  await choose("clerk", false);
  await choose("suspended", true);
  await setZone(false);
  await call("queue_digests", {});
  expect(await queued()).toEqual([]);
  await setZone(true);
  for (let hour = 0; hour < 2; hour += 1) await call("queue_digests", {});
  expect(await queued()).toEqual(["digest to analyst"]);
});

test("a digest has yesterday's counts, of the campaigns that its recipient may see when it is sent", async () => {
  await setZone(true);
  await database.sql(
    `insert into public.lines (team_id, campaign_id, verdict, voter_id, entered_at)
     select 'riverside', c, v, case when v <> 'illegible' then 'v' || n end,
       (((now() at time zone t.time_zone)::date + time '00:00') at time zone t.time_zone) + a
     from public.teams t, (values ('clean-water', 'accepted', 1, interval '-1 minute'),
       ('clean-water', 'duplicate', 1, interval '-24 hours'), ('clean-water', 'illegible', 2, interval '-2 hours'),
       ('clean-water', 'accepted', 3, interval '0'), ('clean-water', 'accepted', 4, interval '-24 hours -1 minute'),
       ('open-parks', 'accepted', 5, interval '-1 hour')) l (c, v, n, a) where t.id = 'riverside'`,
  );
  const sees = async (who: string) => {
    await choose(who, true);
    await call("queue_digests", {});
    return claim();
  };
  const cleanWater = { id: "clean-water", name: "Clean water", lines: 3, valid: 1, duplicates: 1, seesLines: true };
  const mail = await sees("analyst");
  expect(mail).toMatchObject({ kind: "digest", content: { team: "Riverside", campaigns: [cleanWater] } });
  expect(mail?.content.campaigns).toHaveLength(1);
  expect((await sees("canvasser"))?.content).toMatchObject({ campaigns: [{ ...cleanWater, seesLines: false }] });
  expect(JSON.stringify(await sees("admin"))).toContain("Open parks");
  // Chosen, but with nothing to see any more.
  await choose("staff", true);
  await call("queue_digests", {});
  await database.sql("delete from public.campaign_user_roles_team where user_id = $1", [team.person("staff").id]);
  expect(await claim()).toBe(null);
});

test("the application learns what a digest is about only while it is sent", async () => {
  await setZone(true);
  await choose("analyst", true);
  await call("queue_digests", {});
  const [{ id } = {}] = await database.sql("select id from private.emails");
  const readDigest = () => call("claimed_digest", { p_id: id });
  expect(await readDigest()).toBe(null);
  await claim();
  expect(await readDigest()).toMatchObject({
    teamId: "riverside",
    campaigns: [{ id: "clean-water", seesLines: true }],
  });
  await call("finish_email", { p_id: id, p_state: "sent" });
  expect(await readDigest()).toBe(null);
});
