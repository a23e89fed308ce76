// Faults planted one by one into a complete environment: `npm run doctor` names each, and nothing else. Only what the hosted
// platform adds is mocked: its addresses, its gateway's answers, the Management API and the tables of pg_cron.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ownEnvironment } from "../../../harness/own-environment.ts";
import { checkSchedule, intervalsSeconds } from "../../../scripts/doctor/check-schedule.ts";
import { checkSearch } from "../../../scripts/doctor/check-search.ts";
import { checkCounts, checkFunctions, checkMigrations, checkSupabase } from "../../../scripts/doctor/check-supabase.ts";
import { createGateway } from "../../../scripts/local-stack/gateway.ts";
import { readEmailTemplates } from "../../../scripts/local-stack/mailbox.ts";
import { listenNear } from "../../../scripts/local-stack/ports.ts";
import { setUpRedis } from "../../support/redis.ts";
import { startRedisCluster } from "../../support/redis-cluster.ts";
import { passwordDigest } from "../../support/search-token.ts";
import { functionSettings, startFunctions } from "../../support/start-functions.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

const hosted = "https://abcdefghijklmnopqrst.supabase.co";
const api = "https://api.supabase.com/v1/projects/abcdefghijklmnopqrst";
const search = { email: "search@people.test", password: "search-password-1" };
const searchUrl = `${hosted}/functions/v1/search-backend`;
const closed = "http://127.0.0.1:2"; // nothing listens there

const [database, { server: store, redis }] = await Promise.all([setUpTestDatabase(), setUpRedis()]);
const served = await database.serve();
const functions = await startFunctions({
  REDIS_URL: store.url,
  ...functionSettings(served),
  SEARCH_BACKEND_EMAIL: search.email,
  SEARCH_BACKEND_PASSWORD_SHA256: passwordDigest(search.password),
});
const handle = (request: Request) => {
  const { pathname, search } = new URL(request.url);
  return fetch(new Request(`${served.NEXT_PUBLIC_SUPABASE_URL}${pathname}${search}`, request));
};
const gateway = createGateway({ fetch: handle, emails: database.emails }, Number(new URL(functions.url).port));
const local = `http://127.0.0.1:${await listenNear(gateway, 54_500)}`;
afterAll(() => {
  functions.stop();
  gateway.close();
});
const signedUp = await fetch(`${local}/auth/v1/signup`, {
  method: "POST",
  headers: { apikey: served.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, "content-type": "application/json" },
  body: JSON.stringify(search),
});
expect(signedUp.status).toBe(200);
const good: Record<string, string> = {
  ...served,
  NEXT_PUBLIC_SUPABASE_URL: hosted,
  REDIS_URL: store.url,
  SITE_URL: "https://signet.example",
  TRUSTED_PROXIES: "0",
  SEARCHSVC_URL_SEARCH: searchUrl,
  SEARCHSVC_API_EMAIL_SEARCH: search.email,
  SEARCHSVC_API_PASSWORD_SEARCH: search.password,
  SEARCHSVC_FIELDS_SEARCH: "street,voterId,birthYear,similar",
  SUPABASE_ACCESS_TOKEN: "sbp_drill",
};

// The first answers of Auth, REST and the functions are slow on a busy machine. The doctor has a time limit; these have none.
beforeAll(async () => {
  const reachable = {
    ...good,
    NEXT_PUBLIC_SUPABASE_URL: local,
    SEARCHSVC_URL_SEARCH: `${local}/functions/v1/search-backend`,
  };
  for (const [name, value] of Object.entries(reachable)) vi.stubEnv(name, value);
  const { signal } = new AbortController();
  for (const check of [checkSupabase, checkMigrations, checkCounts, checkFunctions, checkSchedule, checkSearch]) {
    const wrongs = (await check(signal)).filter(({ state }) => state === "wrong");
    expect(wrongs, check.name).toEqual([]);
  }
  vi.unstubAllEnvs();
}, 120_000);

// Each job has just run; each test begins with this.
beforeEach(async () => {
  await database.sql("drop schema if exists cron cascade");
  await database.sql("create schema cron");
  await database.sql(
    `create table cron.job as
     select n as jobid, name as jobname, true as active from unnest($1::text[]) with ordinality o (name, n)`,
    [Object.keys(intervalsSeconds)],
  );
  await database.sql(
    `create table cron.job_run_details as select jobid, jobid as runid, 'succeeded' as status, '' as return_message,
       now() as start_time from cron.job`,
  );
});

const authSettings = {
  site_url: "https://signet.example",
  uri_allow_list: "http://localhost:3000/**,https://signet.example/**",
  mailer_autoconfirm: false,
  mailer_secure_email_change_enabled: true,
  mailer_otp_length: 10,
  mailer_notifications_password_changed_enabled: true,
  mailer_notifications_email_changed_enabled: true,
  mailer_notifications_mfa_factor_enrolled_enabled: true,
  mailer_notifications_mfa_factor_unenrolled_enabled: true,
  jwt_exp: 900,
  security_update_password_require_reauthentication: true,
  smtp_host: "smtp.signet.example",
  ...Object.fromEntries(
    Object.entries({ ...readEmailTemplates("template"), ...readEmailTemplates("notification") }).flatMap(
      ([name, { subject, content_path }]) => [
        [`mailer_templates_${name}_content`, readFileSync(content_path, "utf8")],
        [`mailer_subjects_${name}`, subject],
      ],
    ),
  ),
};
const deployed = ["get-permissions-snapshot", "invalidate-permissions", "search-backend", "send-invitations"]
  .concat("send-emails", "sync-signers")
  .map((slug) => ({ slug, verify_jwt: false }));

type Planted = {
  env?: Record<string, string>;
  /** What the platform answers at an address instead of the real parts; "silence" is no answer. */
  answers?: Record<string, { status: number; body: unknown } | "silence">;
  /** How many ms the clock of the doctor is ahead. */
  ahead?: number;
};

// Loaded before the doctor.
const platform = `
  const { hosts, answers, ahead } = JSON.parse(process.env.DRILL);
  const now = Date.now;
  Date.now = () => now() + ahead;
  const realFetch = fetch;
  globalThis.fetch = (input, init) => {
    const url = String(input);
    if (answers[url] === "silence") {
      return new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)));
    }
    if (answers[url]) {
      const allowed = !url.startsWith("https://api.") || init.headers.Authorization === "Bearer sbp_drill";
      return Promise.resolve(Response.json(answers[url].body, { status: allowed ? answers[url].status : 401 }));
    }
    const host = Object.keys(hosts).find((one) => url.startsWith(one));
    return realFetch(host ? url.replace(host, hosts[host]) : input, init);
  };
`;

async function runDoctor({ env = {}, answers = {}, ahead = 0 }: Planted = {}) {
  const settings: NodeJS.ProcessEnv = {
    ...ownEnvironment,
    ...good,
    ...env,
    SIGNET_LOCAL: "/nowhere",
    DRILL: JSON.stringify({
      hosts: { [hosted]: local },
      answers: {
        [`${api}/config/auth`]: { status: 200, body: authSettings },
        [`${api}/functions`]: { status: 200, body: deployed },
        [`${api}/secrets`]: { status: 200, body: [{ name: "REDIS_URL" }, { name: "SITE_URL" }] },
        ...answers,
      },
      ahead,
    }),
  };
  const preload = `data:text/javascript,${encodeURIComponent(platform)}`;
  const args = ["--disable-warning=ExperimentalWarning", "--import", preload, "scripts/doctor.ts"];
  const { code, printed } = await new Promise<{ code: unknown; printed: string }>((done) => {
    execFile(process.execPath, args, { env: settings }, (error, stdout, stderr) =>
      done({ code: error ? error.code : 0, printed: stdout + stderr }),
    );
  });
  const secrets = [good.SUPABASE_SECRET_KEY, search.password, "sbp_drill", "wrong-password"];
  for (const secret of secrets) expect(printed).not.toContain(secret);
  const lines = printed.split("\n");
  const stateOf = (state: string) =>
    lines.flatMap((line) => (line.startsWith(state) ? [line.slice(state.length).trim()] : []));
  return { code, printed, wrong: stateOf("wrong "), notChecked: stateOf("not checked") };
}

test("it reports each check as ok in a correct environment, and ends with 0", async () => {
  const { code, printed } = await runDoctor();
  expect(printed).toMatch(/^ok +Variables: set and well-formed$/m);
  expect(printed).toMatch(/^ok +Supabase: Auth answers, the clocks agree, REST accepts the secret key$/m);
  expect(printed).toMatch(/^ok +Migrations: all applied$/m);
  expect(printed).toMatch(/^ok +Counts: as many as there are lines$/m);
  expect(printed).toMatch(/^ok +Edge functions: all 6 answer$/m);
  expect(printed).toMatch(/^ok +Schedule: all jobs run, nothing is overdue$/m);
  expect(printed).toMatch(
    /^ok +Redis: (Redis|Valkey) \S+, evicts nothing, accepts all commands, \S+ ms per response, no lease/m,
  );
  expect(printed).toMatch(/^ok +Voter search: SEARCH answers \(no one is named Smith\)$/m);
  expect(printed).toMatch(/^ok +Project settings: as they should be$/m);
  expect(printed).not.toMatch(/^(wrong|warning|not checked)/m);
  expect(code).toBe(0);
});

test("on the local stack it says what can't be checked, and ends with 0", async () => {
  await database.sql("drop schema cron cascade");
  const env = {
    NEXT_PUBLIC_SUPABASE_URL: local,
    SITE_URL: "http://localhost:3000",
    SEARCHSVC_URL_SEARCH: `${local}/functions/v1/search-backend`,
    SUPABASE_ACCESS_TOKEN: "",
  };
  const { code, wrong, notChecked } = await runDoctor({ env });
  expect(wrong).toEqual([]);
  expect(notChecked).toEqual([
    "Schedule: a local stack calls the edge functions itself",
    expect.stringMatching(/^Project settings: SUPABASE_ACCESS_TOKEN is not set/),
  ]);
  expect(code).toBe(0);
});

test("it checks all nodes of a Redis Cluster", async () => {
  const cluster = await startRedisCluster();
  try {
    // Other checks, and answers, can be late while the nodes of a cluster use the machine too.
    const ofRedis = async () => {
      const { code, printed } = await runDoctor({ env: { REDIS_URL: cluster.url } });
      const lines = printed.split("\n").filter((line) => /^(ok|wrong) +Redis:/.test(line));
      return { code, lines };
    };
    expect((await ofRedis()).lines).toEqual([expect.stringMatching(/^ok .* accepts all commands/)]);
    await cluster.nodes.at(-1)?.server.stop();
    const { code, lines } = await ofRedis();
    expect(lines).toEqual([expect.stringMatching(/^wrong +Redis: Redis cannot be used: /)]);
    expect(code).toBe(1);
  } finally {
    await cluster.close();
  }
});

const jwt = (role: string) => `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify({ role })).toString("base64url")}.x`;
const auth = (settings: object) => ({
  [`${api}/config/auth`]: { status: 200, body: { ...authSettings, ...settings } },
});

/** Expects the doctor to name this and nothing else, with how to fix it, and to end with 1 in time. */
async function expectNamed(planted: Planted, by: string, wrong: RegExp[]) {
  const began = performance.now();
  const { code, printed, wrong: named } = await runDoctor(planted);
  expect(named, printed).toEqual(wrong.map((sentence) => expect.stringMatching(sentence)));
  expect(printed.match(/→ .*/g)?.join("\n"), printed).toContain(by);
  expect(code).toBe(1);
  expect(performance.now() - began).toBeLessThan(15_000);
}

test.each<[env: Record<string, string>, by: string, ...wrong: RegExp[]]>([
  [{ REDIS_URL: "" }, ".env", /^Variables: REDIS_URL is not set/], // the others: unit/doctor/check-variables.test.ts
  [
    { NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: "sb_secret_exchanged" },
    "API Keys",
    /^Variables: \S+_PUBLISHABLE_KEY is a secret key\. Browsers/,
    /^Supabase: \S+_PUBLISHABLE_KEY is not a key of this/,
  ],
  [
    { SUPABASE_SECRET_KEY: jwt("anon") },
    "sb_secret_…",
    /^Variables: SUPABASE_SECRET_KEY is a legacy key for the role anon/,
    /^Supabase: SUPABASE_SECRET_KEY is not/,
  ],
  [
    { SITE_URL: "http://signet.example" },
    "https",
    /SITE_URL is http/,
    /site URL is https:/,
    /redirect URLs lack http:/,
  ],
  [
    { NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: "sb_publishable_other" },
    "API Keys",
    /^Supabase: NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY is not a key of this project/,
  ],
  [
    { SUPABASE_SECRET_KEY: "sb_secret_other" },
    "API Keys",
    /^Supabase: SUPABASE_SECRET_KEY is not a secret key of this project/,
  ],
  [
    { NEXT_PUBLIC_SUPABASE_URL: closed },
    "Compare NEXT_PUBLIC_SUPABASE_URL",
    /^Supabase: Auth at http:\/\/127\.0\.0\.1:\d+ can't be reached: ECONNREFUSED/,
    /^Supabase: REST at http:\/\/127\.0\.0\.1:\d+ can't be reached: /,
    /^Edge functions: Not reached: get-permissions-snapshot \(ECONNREFUSED\), .*, sync-signers \(ECONNREFUSED\)\.$/,
  ],
  [
    { SEARCHSVC_API_PASSWORD_SEARCH: "wrong-password" },
    "SEARCH_BACKEND_EMAIL",
    /^Voter search: The search SEARCH refuses the login \(401\)/,
  ],
  [
    { SEARCHSVC_URL_SEARCH: closed },
    "SEARCHSVC_URL_SEARCH",
    /^Voter search: The search SEARCH can't be reached: ECONNREFUSED/,
  ],
  [
    { SUPABASE_ACCESS_TOKEN: "sbp_other" },
    "account/tokens",
    /^Project settings: Couldn't read the settings from Supabase's Management API: it answers 401/,
  ],
])("it names the wrong setting %j and nothing else, says how to fix it, and ends with 1", async (env, by, ...wrong) => {
  await expectNamed({ env }, by, wrong);
});

test.each([
  [60_000, /^Supabase: The clock here is (59|6\d) s ahead of/],
  [-60_000, /^Supabase: The clock here is (59|6\d) s behind/],
])("it names a clock that is %i ms ahead", (ahead, wrong) => expectNamed({ ahead }, "timedatectl", [wrong]));

test.each([
  ["auth/v1/health", "NEXT_PUBLIC_SUPABASE_URL", /^Supabase: Auth at \S+ can't be reached: timed out/],
  [
    "rest/v1/permission_keys?select=key&limit=1",
    "NEXT_PUBLIC_SUPABASE_URL",
    /^Supabase: REST at \S+ can't be reached: timed out/,
  ],
  ["rest/v1/rpc/schedule_state", "logs", /^Schedule: Couldn't check this: timed out/],
  [
    "functions/v1/get-permissions-snapshot",
    "logs",
    /^Edge functions: Not reached: get-permissions-snapshot \(timed out\)/,
  ],
  [
    "functions/v1/search-backend/essearch/validation",
    "SEARCHSVC_URL_SEARCH",
    /^Voter search: The search SEARCH can't be reached: timed out/,
  ],
])("it names %s when that hangs", async (path, by, wrong) => {
  await expectNamed({ answers: { [`${hosted}/${path}`]: "silence" } }, by, [wrong]);
});

test.each<[what: string, answers: Planted["answers"], by: string, wrong: RegExp]>([
  [
    "a function that is not deployed",
    { [`${hosted}/functions/v1/sync-signers`]: { status: 404, body: { code: "NOT_FOUND" } } },
    "npx supabase functions deploy sync-signers",
    /^Edge functions: sync-signers is not deployed/,
  ],
  [
    "a function whose platform checks tokens",
    { [`${hosted}/functions/v1/send-invitations`]: { status: 401, body: { code: "UNAUTHORIZED_NO_AUTH_HEADER" } } },
    "npx supabase functions deploy send-invitations",
    /^Edge functions: send-invitations is not reached: .*verify_jwt is on/,
  ],
  [
    "settings that can't be read just now",
    { [`${api}/functions`]: { status: 503, body: {} } },
    "Run this again in a few minutes",
    /^Project settings: Couldn't read the settings from Supabase's Management API: it answers 503/,
  ],
  [
    "verify_jwt in the settings of the platform",
    { [`${api}/functions`]: { status: 200, body: [{ slug: "get-permissions-snapshot", verify_jwt: true }] } },
    "npx supabase functions deploy get-permissions-snapshot",
    /^Project settings: get-permissions-snapshot: .*verify_jwt is on/,
  ],
  [
    "a secret that the edge functions lack",
    { [`${api}/secrets`]: { status: 200, body: [{ name: "REDIS_URL" }] } },
    "npx supabase secrets set SITE_URL=<SITE_URL>",
    /^Project settings: The edge functions need the secret SITE_URL/,
  ],
  [
    "a sender that emails lack",
    { [`${api}/secrets`]: { status: 200, body: ["REDIS_URL", "SITE_URL", "SMTP_URL"].map((name) => ({ name })) } },
    "npx supabase secrets set EMAIL_FROM=",
    /^Project settings: The edge functions need the secret EMAIL_FROM/,
  ],
])("it names %s", async (_what, answers, by, wrong) => {
  await expectNamed({ answers }, by, [wrong]);
});

test.each([
  [{ mailer_autoconfirm: true }, "/auth/providers", "Addresses are not confirmed"],
  [{ mailer_secure_email_change_enabled: false }, "Secure email change", "An address can be changed"],
  [{ uri_allow_list: "" }, "/auth/url-configuration", "The redirect URLs lack https://signet.example/[*]{2}"],
  [
    { site_url: "http://localhost:3000" },
    "Set it to https://signet.example:",
    "Auth's site URL is http://localhost:3000",
  ],
  [{ smtp_host: null }, "/auth/smtp", "No SMTP server is set"],
  [{ mfa_totp_enroll_enabled: false }, "Turn “TOTP (App Authenticator)” on", "Two-factor sign-in is off"],
  [
    { mailer_notifications_password_changed_enabled: false },
    "Turn it on: https://supabase.com/dashboard",
    "No email says that an account changed",
  ],
  [{ mailer_otp_length: 6 }, "Set their length to 10", "Email OTPs have 6 digits"],
  [{ jwt_exp: 3600 }, "/settings/jwt", "Access tokens live for 3600 s: a session ended elsewhere"],
  [{ jwt_exp: null }, "to 900", "Access tokens live for 3600 s"],
  [
    { security_update_password_require_reauthentication: false },
    "Secure password change",
    "A session of any age can change the password",
  ],
  [
    { mailer_templates_recovery_content: "<a href='{{ .ConfirmationURL }}'>" },
    "supabase/templates/recovery.html",
    "The text of the email recovery is not",
  ],
  [
    { mailer_subjects_magic_link: "Your Magic Link" },
    "You're invited to {{ with .Data.invitation }}",
    "The subject of the email magic_link is not",
  ],
])("it names the project setting %j", async (settings, by, wrong) => {
  await expectNamed({ answers: auth(settings) }, by, [new RegExp(`^Project settings: ${wrong}`)]);
});

test.each<[plant: string, fix: string, by: string, ...wrong: RegExp[]]>([
  [
    "update supabase_migrations.schema_migrations set version = '20200101000000' where version = '20261101000000'",
    "update supabase_migrations.schema_migrations set version = '20261101000000' where version = '20200101000000'",
    "npx supabase db push",
    /^Migrations: The database lacks 1 of \d+: 20261101000000/,
    /^Migrations: The database has migrations that this version doesn't: 20200101000000/,
  ],
  [
    "alter function public.applied_migrations set schema private",
    "alter function private.applied_migrations set schema public",
    "npx supabase db push",
    /^Migrations: The database is older than this version/,
  ],
  [
    `insert into private.line_counts (campaign_id, per, team_id, entered, accepted, duplicates, blank)
     values ('lost', 'sheet', 'north', 1, 0, 0, 0)`,
    "delete from private.line_counts where campaign_id = 'lost'",
    "private.recount",
    /^Counts: Not those of the lines: lost/,
  ],
  ["drop schema cron cascade", "", "supabase/schedule.sql", /^Schedule: Not scheduled: invalidate-permissions, /],
  [
    "update cron.job set active = false where jobname = 'sync-signers'",
    "",
    "cron.alter_job",
    /^Schedule: The job sync-signers is switched off/,
  ],
  [
    "update cron.job_run_details set status = 'failed', return_message = 'ERROR: no' where jobid = 4",
    "",
    "supabase/schedule.sql",
    /^Schedule: The last run of the job send-invitations failed: ERROR: no/,
  ],
  [
    "update cron.job_run_details set start_time = now() - interval '1 hour' where jobid = 1",
    "",
    "Restart the project",
    /^Schedule: The job invalidate-permissions last ran 36\d\d s ago, but should run every 5 s/,
  ],
  [
    "insert into public.permission_changes (user_id, created_at) values (gen_random_uuid(), now() - interval '1 hour')",
    "delete from public.permission_changes",
    "REDIS_URL",
    /^Schedule: Changes are overdue: permissions for 36\d\d s/,
  ],
])("it names the fault after %s", async (plant, fix, by, ...wrong) => {
  await database.sql(plant);
  await expectNamed({}, by, wrong).finally(() => database.sql(fix));
});

test.each<[what: string, plant: () => unknown, url: (server: string) => string, by: string, wrong: string]>([
  [
    "is unreachable",
    () => undefined,
    () => "redis://127.0.0.1:1",
    "Compare REDIS_URL",
    "cannot be used: .*ECONNREFUSED",
  ],
  [
    "has another password",
    () => undefined,
    (server) => server.replace("//", "//user:wrong-password@"),
    "Compare REDIS_URL",
    "cannot be used: WRONGPASS",
  ],
  ["hangs", () => store.freeze(), (server) => server, "Compare REDIS_URL", "cannot be used: timed out"],
  [
    "evicts",
    () => redis.config("SET", "maxmemory-policy", "allkeys-lru"),
    (server) => server,
    "redis-cli CONFIG SET maxmemory-policy noeviction",
    "evicts \\(allkeys-lru\\)",
  ],
  [
    "refuses what is needed",
    () => redis.call("ACL", "SETUSER", "limited", "reset", "on", ">secret", "~*", "+@all", "-rename"),
    (server) => server.replace("//", "//limited:secret@"),
    "+rename",
    "refuses what Signet needs: RENAME",
  ],
])("it names a Redis that %s", async (_what, plant, url, by, wrong) => {
  await plant();
  await expectNamed({ env: { REDIS_URL: url(store.url) } }, by, [new RegExp(`^Redis: Redis ${wrong}`)]).finally(() => {
    store.thaw();
    return redis.config("SET", "maxmemory-policy", "noeviction");
  });
});
