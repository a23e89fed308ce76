import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import {
  type EmailSteps,
  handleEmails,
  maxEmailsPerRun,
  sendEmails,
} from "../../../supabase/functions/_shared/send-emails.ts";
import { inDrill } from "../../support/in-drill.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";
import { makeAdministeredTeam } from "../team-access/administered-team.ts";

// The queue of emails, on the real database, with an Auth that accepts some, refuses some, and fails.

const database = await setUpTestDatabase();
const team = await makeAdministeredTeam(database);
beforeEach(() => database.sql("delete from public.invitations"));

const asAdmin = () => ({ p_actor_id: team.person("admin").id, p_team_id: "riverside" });
const create = (count: number, p_mail = true) => {
  const email = (number: number) => `p${String(number).padStart(3, "0")}@new.test`;
  const p_invitations = Array.from({ length: count }, (_, n) => ({ email: email(n), roleId: team.roles.Member }));
  return call("create_invitations", { ...asAdmin(), p_invitations, p_mail, p_commit: true });
};
/** Queues emails of a team in SQL. */
const queue = (kind: string, count: number) =>
  database.sql(
    `with i as (insert into public.invitations (team_id, email, role_id)
       select $1, left($1, 1) || n || '@new.test', $2 from generate_series(1, $3) n returning id)
     insert into private.invitation_mails (invitation_id) select id from i`,
    [kind, team.roles.Member, count],
  );
const mailSchema = z.object({ id: z.string(), email: z.string() }).nullable();
const call = async (name: string, body: object) => {
  const response = await database.rest(`rpc/${name}`, { as: "service", body });
  if (response.status >= 300) throw new Error(JSON.stringify(response.body));
  return response.body;
};
const steps = (send: EmailSteps["send"]): EmailSteps => ({
  claim: async () => mailSchema.parse(await call("claim_invitation_mail", {})),
  send,
  finish: async (p_id, p_state) => void (await call("finish_invitation_mail", { p_id, p_state })),
});
const states = async () => {
  const rows = await database.sql<{ state: string; count: number }>(
    "select state, count(*)::int as count from private.invitation_mails group by 1",
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
};
/** Lets two minutes pass for claimed emails. */
const wait = () => database.sql("update private.invitation_mails set tried_at = tried_at - interval '2 minutes'");

const addresses = inDrill(200, { else: 40 });
test(`${addresses} addresses at thirty emails an hour: none is lost, none is sent twice`, async () => {
  await create(addresses);
  const sent: string[] = [];
  for (let hour = 0; hour < Math.ceil(addresses / 30) + 1; hour += 1) {
    let left = 30;
    const send: EmailSteps["send"] = async ({ email }) => {
      if (left === 0) return "stop";
      left -= 1;
      sent.push(email);
      return "sent";
    };
    for (let run = 0; run < 5; run += 1) await sendEmails(steps(send));
    await wait();
  }
  expect([sent.length, new Set(sent).size]).toEqual([addresses, addresses]);
  expect(await states()).toEqual({ sent: addresses });
});

test("a run sends at most ten, and a claimed email can't be claimed again", async () => {
  await create(12);
  const send = async () => "sent" as const;
  expect(await sendEmails(steps(send))).toEqual({ sent: maxEmailsPerRun, failed: 0 });
  expect(await steps(send).claim()).toMatchObject({ email: "p010@new.test" });
  expect(await steps(send).claim()).toMatchObject({ email: "p011@new.test" });
  expect(await steps(send).claim()).toBe(null);
});

test("an email that Auth refuses fails without stopping others, and resending queues it again", async () => {
  await create(3);
  const send = async ({ email }: { email: string }) => (email.startsWith("p001") ? "failed" : "sent");
  expect(await sendEmails(steps(send))).toEqual({ sent: 2, failed: 1 });
  expect(await states()).toEqual({ sent: 2, failed: 1 });
  const [{ id } = { id: "" }] = await database.sql<{ id: string }>(
    "select invitation_id as id from private.invitation_mails where state = 'failed'",
  );
  await call("reissue_invitations", { ...asAdmin(), p_ids: `{${id}}`, p_edit: null });
  expect(await sendEmails(steps(async () => "sent"))).toEqual({ sent: 1, failed: 0 });
});

test("an email on which Auth fails is tried five times with growing delays; refusals for the hourly limit don't count", async () => {
  await create(3);
  const failing: EmailSteps["send"] = async ({ email }) => (email.startsWith("p000") ? "again" : "sent");
  const triedBefore = (minutes: number) =>
    database.sql(
      "update private.invitation_mails set tried_at = now() - $1 * interval '1 minute' where state = 'waiting'",
      [minutes],
    );
  expect(await sendEmails(steps(failing))).toEqual({ sent: 2, failed: 0 });
  for (const minutes of [4, 8, 16, 32]) {
    expect(await states()).toEqual({ sent: 2, waiting: 1 });
    await triedBefore(minutes - 1);
    expect(await steps(failing).claim()).toBe(null);
    for (const send of [async () => "stop" as const, failing]) {
      await triedBefore(minutes + 1);
      await sendEmails(steps(send));
    }
  }
  expect(await states()).toEqual({ sent: 2, failed: 1 });
});

test("teams take turns, however many people one of them invites", async () => {
  await create(5);
  await queue("hillside", 2);
  const order = [];
  for (let mail = 0; mail < 7; mail += 1) order.push((await steps(async () => "sent").claim())?.email.slice(0, 1));
  expect(order.join("")).toBe("phphppp");
});

test("a team can have 1,000 queued emails, and invite 500 people at once", async () => {
  await queue("riverside", 999);
  expect(await create(2)).toEqual({ outcome: "too-many-mails" });
  expect(await states()).toEqual({ waiting: 999 });
  expect(await database.sql("select from public.invitations")).toHaveLength(999);
  expect(await create(1)).toMatchObject({ outcome: "done" });
  expect(await create(3, false)).toMatchObject({ outcome: "done" });
  const [{ id } = {}] = await database.sql("select id from public.invitations where email = 'p002@new.test'");
  expect(await call("reissue_invitations", { ...asAdmin(), p_ids: `{${id}}`, p_edit: null })).toEqual({
    outcome: "too-many-mails",
  });
  await expect(create(501)).rejects.toThrow("At most 500");
});

test("a run that breaks before or after an email loses none, and marks none as sent that wasn't", async () => {
  await create(4);
  const taken: string[] = [];
  const broken = (step: number, after: boolean): EmailSteps["send"] => {
    let count = 0;
    return async ({ email }) => {
      count += 1;
      if (count === step && !after) throw new Error("gone");
      taken.push(email);
      if (count === step) throw new Error("gone");
      return "sent";
    };
  };
  await expect(sendEmails(steps(broken(2, false)))).rejects.toThrow("gone");
  expect([taken, await states()]).toEqual([["p000@new.test"], { sent: 1, waiting: 3 }]);
  await expect(sendEmails(steps(broken(1, true)))).rejects.toThrow("gone");
  expect([taken.length, await states()]).toEqual([2, { sent: 1, waiting: 3 }]);
  await wait();
  expect(await sendEmails(steps(broken(9, true)))).toEqual({ sent: 3, failed: 0 });
  expect([new Set(taken).size, await states()]).toEqual([4, { sent: 4 }]);
});

test("accepted, revoked and expired invitations aren't emailed", async () => {
  await create(3);
  await database.sql("update public.invitations set revoked_at = now() where email like 'p000%'");
  await database.sql("update public.invitations set expires_at = now() where email like 'p001%'");
  await database.sql("update public.invitations set accepted_at = now() where email like 'p002%'");
  expect(await steps(async () => "sent").claim()).toBe(null);
});

test("the function requires the secret key and POST, and is 503 when a step fails", async () => {
  const secretKeys = ["sb_secret_1"];
  const callFunction = async (method: string, key?: string, claim: EmailSteps["claim"] = async () => null) => {
    const request = new Request("http://f/", { method, headers: key ? { apikey: key } : {} });
    const response = await handleEmails(request, {
      name: "send-invitations",
      secretKeys,
      steps: { ...steps(async () => "sent"), claim },
    });
    return response.status === 200 ? response.json() : response.status;
  };
  expect(await callFunction("GET", "sb_secret_1")).toBe(405);
  for (const key of [undefined, "sb_secret_2"]) expect(await callFunction("POST", key)).toBe(401);
  expect(await callFunction("POST", "sb_secret_1")).toEqual({ sent: 0, failed: 0 });
  expect(await callFunction("POST", "sb_secret_1", () => Promise.reject(new Error("unreachable")))).toBe(503);
});
