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
  const answer = await database.rest(`rpc/${name}`, { as: "service", body });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
const mailSchema = z.object({ id: z.string(), email: z.string(), kind: z.string(), content: z.looseObject({}) });
const claim = async () => mailSchema.nullable().parse(await call("claim_email", { p_has_server: true }));
const ask = (who: string, p_key: string) =>
  call("ask_for_access", { p_actor_id: team.person(who).id, p_team_id: "riverside", p_campaign_id: null, p_key });
const decline = async () => {
  const [{ id } = {}] = await database.sql("select id from public.access_requests where closed_at is null");
  return call("decline_access_request", { p_actor_id: team.person("admin").id, p_team_id: "riverside", p_id: id });
};
const pass = (minutes: number) =>
  database.sql(
    "update private.emails set created_at = created_at - $1 * interval '1 minute', tried_at = tried_at - $1 * interval '1 minute'",
    [minutes],
  );

test("without a mail server nothing is queued, and no emails are offered", async () => {
  expect(await call("claim_email", { p_has_server: false })).toBe(null);
  await ask("clerk", "roles.manage");
  expect(await queued()).toEqual([]);
  const choices = () => call("email_choices", { p_user_id: team.person("clerk").id });
  expect(await choices()).toMatchObject({ available: false });
  await claim();
  expect(await choices()).toMatchObject({ available: true, requests: true });
});

test("a request is emailed to those who can decide, and its answer to who asked", async () => {
  await ask("clerk", "roles.manage");
  expect(await queued()).toEqual(["request to admin"]);
  expect(await claim()).toMatchObject({
    ...{ email: "admin@people.test", kind: "request" },
    content: { team: "Riverside", name: "clerk", permission: "Change roles and permission sets", place: "Riverside" },
  });
  await decline();
  expect(await queued()).toEqual(["answer to clerk", "request to admin"]);
  expect(await claim()).toMatchObject({ email: "clerk@people.test", kind: "answer", content: { granted: false } });
  expect(await claim()).toBe(null);
});

test("at most one email in 15 minutes is about requests of a team, and it says how many wait", async () => {
  await ask("clerk", "roles.manage");
  await ask("staff", "roles.manage");
  await pass(14);
  await ask("analyst", "roles.manage");
  expect(await queued()).toEqual(["request to admin"]);
  expect(await claim()).toMatchObject({ content: { others: 2 } });
  await pass(2);
  await ask("canvasser", "roles.manage");
  expect(await queued()).toEqual(["request to admin", "request to admin"]);
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
  await ask("clerk", "roles.manage");
  expect(await queued()).toHaveLength(20);
  await database.sql("delete from auth.users where email like 'many%'");
});

test.each<[why: string, given: string]>([
  ["was answered in the application", "update public.access_requests set closed_at = now() where user_id = '{clerk}'"],
  [
    "is about a team they no longer manage",
    "update public.team_users set status = 'suspended' where user_id = '{admin}'",
  ],
  ["they don't want", "select public.choose_emails('{admin}', false)"],
  ["goes to an address that isn't confirmed", "update auth.users set email_confirmed_at = null where id = '{admin}'"],
])("an email isn't sent that %s", async (_why, given) => {
  await ask("clerk", "roles.manage");
  await database.sql(given.replace(/{(\w+)}/, (_, name) => team.person(name).id));
  expect((await claim())?.email).not.toBe("admin@people.test");
  await database.sql("update public.team_users set status = 'active' where user_id = $1", [team.person("admin").id]);
  await database.sql("update auth.users set email_confirmed_at = now()");
});

test("an email is claimed for two minutes, tried five times, and not sent after a day", async () => {
  await ask("clerk", "roles.manage");
  for (const minutes of [3, 5, 9, 17, 33]) {
    const mail = await claim();
    expect(mail).not.toBe(null);
    expect(await claim()).toBe(null);
    await call("finish_email", { p_id: Number(mail?.id), p_state: "again" });
    await pass(minutes);
  }
  expect(await database.sql("select state, tries from private.emails")).toEqual([{ state: "failed", tries: 5 }]);
  await ask("staff", "roles.manage");
  await pass(25 * 60);
  expect(await claim()).toBe(null);
  await pass(30 * 24 * 60);
  await call("purge_emails", {});
  expect(await database.sql("select from private.emails")).toEqual([]);
});
