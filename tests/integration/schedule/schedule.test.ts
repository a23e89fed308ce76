// supabase/schedule.sql with stand-ins for pg_cron, pg_net and Vault, which record their arguments; the test runs the jobs.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { setUpSqlSession } from "../../support/sql-session.ts";

const extensions = /^create extension .*;\n/gm;
const schedule = readFileSync(resolve(import.meta.dirname, "../../../supabase/schedule.sql"), "utf8");

const standIns = `
  create schema cron;
  create table cron.job (jobid bigint generated always as identity, jobname text unique, schedule text, command text,
    active boolean default true);
  create table cron.job_run_details (runid bigint generated always as identity, jobid bigint, status text,
    return_message text, start_time timestamptz, end_time timestamptz);
  create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
    insert into cron.job (jobname, schedule, command) values ($1, $2, $3)
    on conflict (jobname) do update set schedule = excluded.schedule, command = excluded.command returning jobid
  $$;
  create schema net;
  create table net.calls (url text, headers jsonb, body jsonb);
  create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
    headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds int default 5000)
  returns bigint language sql as $$ insert into net.calls values ($1, $4, $2) returning 1 $$;
  create schema vault;
  create table vault.secrets (id uuid default gen_random_uuid(), name text unique, secret text);
  create view vault.decrypted_secrets as select id, name, secret as decrypted_secret from vault.secrets;
  create function vault.create_secret(new_secret text, new_name text default null, new_description text default '')
  returns uuid language sql as $$ insert into vault.secrets (name, secret) values ($2, $1) returning id $$;
  create function vault.update_secret(secret_id uuid, new_secret text default null, new_name text default null)
  returns void language sql as $$ update vault.secrets set secret = coalesce($2, secret) where id = $1 $$;
`;

const database = await setUpSqlSession();
await database.sql(standIns);
await database.sql(`
  insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'ivy@people.test');
  insert into public.teams (id, name) values ('north', 'North');
  insert into public.campaigns (id, name, team_id) values ('one', 'One', 'north');
`);
beforeEach(async () => {
  await database.sql(`
    truncate cron.job, cron.job_run_details, net.calls, vault.secrets, public.permission_changes, public.signer_changes,
      public.lines cascade;
    delete from public.signer_changes;
    delete from public.invitations;
    delete from public.read_log;
    ${set(none)}`);
});

const set = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `select set_config('signet.${name}', '${value}', false);`)
    .join("\n");
const none = { project_url: "", secret_key: "", read_log_days: "" };
async function setUp(settings: Record<string, string> = {}) {
  try {
    await database.sql(set(settings) + schedule.replace(extensions, ""));
  } catch (error) {
    await database.sql("rollback");
    throw error;
  }
}
const settings = { project_url: "https://ref.supabase.co/", secret_key: "sb_secret_one" };
const jobs = () =>
  database.sql<{ jobname: string; schedule: string; command: string }>("select * from cron.job order by jobid");
const runAt = async (jobname: string, time = "now()") => {
  const job = (await jobs()).find((candidate) => candidate.jobname === jobname);
  if (!job) throw new Error(`There is no job ${jobname}.`);
  await database.sql(job.command.replaceAll("now()", time));
};
const secrets = () => database.sql("select * from vault.secrets order by name");
const calls = () => database.sql<{ url: string; headers: unknown; body: unknown }>("select * from net.calls");

test("it creates the two extensions that a project lacks", () => {
  expect(schedule.match(extensions)?.map((line) => line.split(" ").at(5))).toEqual(["pg_cron", "pg_net"]);
});

test("running it twice schedules the same jobs and keeps the settings", async () => {
  await setUp(settings);
  const first = [await jobs(), await secrets()];
  expect((await jobs()).map((job) => [job.jobname, job.schedule])).toEqual([
    ["invalidate-permissions", "5 seconds"],
    ["sync-signers", "5 seconds"],
    ["look-at-signers", "* * * * *"],
    ["send-invitations", "30 seconds"],
    ["send-emails", "30 seconds"],
    ["purge-read-log", "37 * * * *"],
    ["erase-personal-data", "* * * * *"],
    ["queue-digests", "3 * * * *"],
    ["purge-emails", "17 * * * *"],
    ["purge-job-runs", "7 * * * *"],
  ]);
  await setUp(none);
  expect([await jobs(), await secrets()]).toEqual(first);
});

test("a changed setting applies from the next call on, and no job's text contains the key", async () => {
  await setUp(settings);
  await setUp({ project_url: "http://127.0.0.1:54321", secret_key: "sb_secret_two" });
  await database.sql("insert into public.signer_changes (campaign_id, change_number) values ('one', 1)");
  await runAt("sync-signers");
  expect(await calls()).toEqual([
    {
      url: "http://127.0.0.1:54321/functions/v1/sync-signers",
      headers: { apikey: "sb_secret_two", "content-type": "application/json" },
      body: {},
    },
  ]);
  expect(JSON.stringify(await jobs())).not.toContain("sb_secret");
});

test.each([
  ["no address, the first time", { secret_key: "sb_secret_one" }, "Set signet.project_url first"],
  ["no key, the first time", { project_url: "https://ref.supabase.co" }, "Set signet.secret_key first"],
  ["a publishable key", { ...settings, secret_key: "sb_publishable_x" }, /^signet.secret_key isn't valid: see the top/],
  [
    "the page of the dashboard",
    { ...settings, project_url: "https://supabase.com/dashboard/x" },
    "signet.project_url is",
  ],
  ["an invalid number of days to keep reads", { ...settings, read_log_days: "0" }, "signet.read_log_days is"],
])("with %s it says so and sets up nothing", async (_, input, message) => {
  await expect(setUp(input)).rejects.toThrow(message);
  expect([await jobs(), await secrets()]).toEqual([[], []]);
});

const line = (timestamp: string) =>
  `insert into public.lines (team_id, campaign_id, verdict, voter_id, entered_at) values ('north', 'one', 'accepted', 'v', ${timestamp})`;
const invitation = (expires: string) => `
  with made as (
    insert into public.invitations (team_id, email, role_id, expires_at)
    select 'north', 'new@people.test', r.id, now() + ${expires} from public.roles r where r.name = 'Office' returning id)
  insert into private.invitation_mails (invitation_id) select id from made`;
const member = `insert into public.team_users (user_id, team_id, role_id, status)
  select '00000000-0000-4000-8000-000000000001', 'north', r.id, 'active' from public.roles r where r.name = 'Office'`;

test.each<[job: string, what: string, given: string, called: string | null]>([
  ["invalidate-permissions", "nothing changed", "", null],
  ["invalidate-permissions", "a membership changed", member, "invalidate-permissions"],
  ["sync-signers", "nothing changed", "", null],
  ["sync-signers", "a line was entered", line("now()"), "sync-signers"],
  ["send-invitations", "no one is invited", "", null],
  ["send-invitations", "an email is queued", invitation("'1 day'"), "send-invitations"],
  ["send-invitations", "the invitation of the queued email has expired", invitation("'-1 day'"), null],
  [
    "send-invitations",
    "the email was claimed less than two minutes ago",
    `${invitation("'1 day'")}; select public.claim_invitation_mail()`,
    null,
  ],
  ["send-emails", "it asked within the hour and no email is queued", "select public.claim_email(true)", null],
  [
    "send-emails",
    "it asked more than an hour ago",
    "select public.claim_email(true); update private.mail_server set checked_at = now() - interval '61 minutes'",
    "send-emails",
  ],
  [
    "send-emails",
    "an email is queued",
    "select public.claim_email(true), private.queue_email('00000000-0000-4000-8000-000000000001', 'north', 'request', 'x')",
    "send-emails",
  ],
])("%s, when %s", async (job, _, input, called) => {
  await setUp(settings);
  if (input) await database.sql(input);
  await runAt(job);
  const urls = (await calls()).map(({ url }) => url);
  expect(urls).toEqual(called === null ? [] : [`https://ref.supabase.co/functions/v1/${called}`]);
});

test.each([
  ["six times an hour while no one enters lines: 4,380 times in a month of 730 hours", 11, 6],
  ["every minute while lines are entered", 9, 60],
])("the sets are checked %s", async (_, minutesAgo, times) => {
  await setUp(settings);
  await database.sql(line(`now() - interval '${minutesAgo} minutes'`));
  for (let minute = 0; minute < 60; minute++) {
    await runAt("look-at-signers", `timestamptz '2026-11-01 12:${String(minute).padStart(2, "0")}:30Z'`);
  }
  expect(await calls()).toHaveLength(times);
  expect(schedule).toContain("4,380 check the sets of signers every 10 minutes");
});

test("the log of job runs is kept for a day", async () => {
  await setUp(settings);
  await database.sql(`insert into cron.job_run_details (status, end_time)
    values ('old', now() - interval '25 hours'), ('new', now() - interval '23 hours'), ('running', null)`);
  await runAt("purge-job-runs");
  expect(await database.sql("select status from cron.job_run_details order by runid")).toEqual([
    { status: "new" },
    { status: "running" },
  ]);
});

test("the log of reads is kept for 365 days or as many as are set, also after setting up again", async () => {
  await database.sql(`insert into public.read_log (actor_id, team_id, kind, filter, row_count, at)
    select gen_random_uuid(), 'north', 'members', '{}', d, now() - make_interval(days => d) from unnest(array[29, 31, 364, 366]) d`);
  const daysLeft = async () =>
    (await database.sql<{ days: number }>("select row_count as days from public.read_log order by 1")).map(
      ({ days }) => days,
    );
  await setUp(settings);
  await runAt("purge-read-log");
  expect(await daysLeft()).toEqual([29, 31, 364]);
  await setUp({ read_log_days: "30" });
  await setUp(none);
  await runAt("purge-read-log");
  expect(await daysLeft()).toEqual([29]);
});

test("its state has the last run of each job with its error, and how long the oldest pending changes have waited", async () => {
  const state = async () =>
    (await database.sql<{ state: unknown }>("select public.schedule_state() as state"))[0]?.state;
  const unscheduled = await state();
  await setUp(settings);
  expect(unscheduled).toEqual({
    oldestPending: { permissions: null, signers: null },
    jobs: Object.fromEntries((await jobs()).map(({ jobname }) => [jobname, "not scheduled"])),
  });
  await database.sql(`
    insert into cron.job_run_details (jobid, status, return_message, start_time)
    select j.jobid, r.*
    from cron.job j, (values ('succeeded', '0 rows', timestamptz '2026-11-01 12:00Z'),
      ('failed', 'ERROR: no', timestamptz '2026-11-01 12:00:05Z')) r
    where j.jobname = 'sync-signers';
    insert into public.signer_changes (campaign_id, change_number, created_at)
    values ('one', 1, now() - interval '90 seconds'), ('one', 2, now());
  `);
  const never = { active: true, ranAt: null, status: null, error: null };
  expect(await state()).toMatchObject({
    oldestPending: {
      permissions: null,
      signers: expect.toSatisfy((seconds: number) => seconds >= 90 && seconds < 120),
    },
    jobs: {
      "invalidate-permissions": never,
      "sync-signers": { active: true, ranAt: "2026-11-01T12:00:05.000Z", status: "failed", error: "ERROR: no" },
    },
  });
});
