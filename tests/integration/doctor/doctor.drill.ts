// Faults planted one by one into a whole environment of real parts: `npm run doctor` names each, and nothing else. What the
// platform alone has is a stand-in: its addresses, its gateway's answers, the Management API and the tables of pg_cron.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createGateway } from "../../../scripts/local-stack/gateway.ts";
import { readMailTemplates } from "../../../scripts/local-stack/mailbox.ts";
import { freePort, listenNear } from "../../../scripts/local-stack/ports.ts";
import { ownEnvironment } from "../../support/own-environment.ts";
import { startRedisCluster } from "../../support/redis-cluster.ts";
import { startRedis } from "../../support/redis-server.ts";
import { passwordDigest } from "../../support/search-token.ts";
import { startFunctions } from "../../support/start-functions.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

const hosted = "https://abcdefghijklmnopqrst.supabase.co";
const api = "https://api.supabase.com/v1/projects/abcdefghijklmnopqrst";
const search = { email: "search@people.test", password: "search-password-1" };

let database: TestDatabase;
let store: Awaited<ReturnType<typeof startRedis>>;
let redis: Redis;
let functions: Awaited<ReturnType<typeof startFunctions>>;
let gateway: ReturnType<typeof createGateway>;
let local: string;
let closed: string; // an address at which nothing listens
let good: Record<string, string>;

beforeAll(async () => {
  [database, store] = await Promise.all([openTestDatabase(), startRedis()]);
  redis = new Redis(store.url);
  const env = await database.serve();
  functions = await startFunctions({
    REDIS_URL: store.url,
    SUPABASE_URL: env.NEXT_PUBLIC_SUPABASE_URL,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: env.SUPABASE_SECRET_KEY }),
    SEARCH_BACKEND_EMAIL: search.email,
    SEARCH_BACKEND_PASSWORD_SHA256: passwordDigest(search.password),
  });
  closed = `http://127.0.0.1:${await freePort()}`;
  const answer = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(`${env.NEXT_PUBLIC_SUPABASE_URL}${pathname}${search}`, request));
  };
  gateway = createGateway({ fetch: answer, mails: database.mails }, Number(new URL(functions.url).port));
  local = `http://127.0.0.1:${await listenNear(gateway, 54_500)}`;
  const signedUp = await fetch(`${local}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, "content-type": "application/json" },
    body: JSON.stringify(search),
  });
  expect(signedUp.status).toBe(200);
  good = {
    ...env,
    NEXT_PUBLIC_SUPABASE_URL: hosted,
    REDIS_URL: store.url,
    SITE_URL: "https://signet.example",
    TRUSTED_PROXIES: "0",
    SEARCHSVC_URL_SEARCH: `${hosted}/functions/v1/search-backend`,
    SEARCHSVC_API_EMAIL_SEARCH: search.email,
    SEARCHSVC_API_PASSWORD_SEARCH: search.password,
    SEARCHSVC_FIELDS_SEARCH: "street,voterId,similar",
    SUPABASE_ACCESS_TOKEN: "sbp_drill",
  };
});
afterAll(async () => {
  redis?.disconnect();
  functions?.stop();
  gateway?.close();
  await Promise.all([store?.close(), database?.close()]);
});

// Each job has just run; each test begins with this.
beforeEach(async () => {
  await database.sql("drop schema if exists cron cascade");
  await database.sql("create schema cron");
  await database.sql(
    `create table cron.job as select n as jobid, name as jobname, true as active from unnest(array['invalidate-permissions',
       'sync-signers', 'look-at-signers', 'send-invitations', 'purge-read-log', 'purge-job-runs']) with ordinality o (name, n)`,
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
  jwt_exp: 900,
  security_update_password_require_reauthentication: true,
  smtp_host: "smtp.signet.example",
  ...Object.fromEntries(
    Object.entries(readMailTemplates()).flatMap(([name, { subject, content_path }]) => [
      [`mailer_templates_${name}_content`, readFileSync(content_path, "utf8")],
      [`mailer_subjects_${name}`, subject],
    ]),
  ),
};
const deployed = ["get-permissions-snapshot", "invalidate-permissions", "search-backend", "send-invitations"]
  .concat("sync-signers")
  .map((slug) => ({ slug, verify_jwt: false }));

type Planted = {
  env?: Record<string, string>;
  /** What the platform answers at an address, in place of the real parts; "silence" is nothing at all. */
  answers?: Record<string, { status: number; body: unknown } | "silence">;
  /** ms by which the clock of the doctor is ahead. */
  ahead?: number;
};

// Loaded before the doctor.
const platform = `
  const { hosts, answers, ahead } = JSON.parse(process.env.DRILL);
  const now = Date.now;
  Date.now = () => now() + ahead;
  const ask = fetch;
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
    return ask(host ? url.replace(host, hosts[host]) : input, init);
  };
`;

async function runDoctor({ env = {}, answers = {}, ahead = 0 }: Planted = {}) {
  const given: NodeJS.ProcessEnv = {
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
  const { code, told } = await new Promise<{ code: unknown; told: string }>((done) => {
    execFile(process.execPath, args, { env: given }, (error, stdout, stderr) =>
      done({ code: error ? error.code : 0, told: stdout + stderr }),
    );
  });
  const secrets = [good.SUPABASE_SECRET_KEY, search.password, "sbp_drill", "wrong-password"];
  for (const secret of secrets) expect(told).not.toContain(secret);
  const lines = told.split("\n");
  const of = (state: string) =>
    lines.flatMap((line) => (line.startsWith(state) ? [line.slice(state.length).trim()] : []));
  return { code, told, wrong: of("wrong "), notChecked: of("not checked") };
}

test("where all is as it must be it says so, check by check, and ends with 0", async () => {
  const { code, told } = await runDoctor();
  expect(told).toMatch(/^ok +Variables: set and well-formed$/m);
  expect(told).toMatch(/^ok +Supabase: Auth answers, the clocks agree, REST takes the secret key$/m);
  expect(told).toMatch(/^ok +Migrations: all applied$/m);
  expect(told).toMatch(/^ok +Edge functions: all 5 answer$/m);
  expect(told).toMatch(/^ok +Schedule: all jobs run, no notes wait$/m);
  expect(told).toMatch(
    /^ok +Redis: (Redis|Valkey) \S+, evicts nothing, takes all commands, \S+ ms an answer, no lease/m,
  );
  expect(told).toMatch(/^ok +Voter search: SEARCH answers \(nobody is called Smith\)$/m);
  expect(told).toMatch(/^ok +Project settings: as they must be$/m);
  expect(told).not.toMatch(/^(wrong|warning|not checked)/m);
  expect(code).toBe(0);
});

test("on the local stack it says what cannot be checked there, and ends with 0", async () => {
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

test("a Redis Cluster is looked at whole", async () => {
  const cluster = await startRedisCluster();
  try {
    expect(await runDoctor({ env: { REDIS_URL: cluster.url } })).toMatchObject({ code: 0, wrong: [], notChecked: [] });
    await cluster.nodes.at(-1)?.server.stop();
    const { code, wrong } = await runDoctor({ env: { REDIS_URL: cluster.url } });
    expect(wrong).toEqual([expect.stringMatching(/^Redis: Redis cannot be used: /)]);
    expect(code).toBe(1);
  } finally {
    await cluster.close();
  }
});

const jwt = (role: string) => `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify({ role })).toString("base64url")}.x`;
const auth = (settings: Record<string, unknown>): Planted => ({
  answers: { [`${api}/config/auth`]: { status: 200, body: { ...authSettings, ...settings } } },
});
const gatewaySays = (name: string, status: number, body: unknown): Planted => ({
  answers: { [`${hosted}/functions/v1/${name}`]: { status, body } },
});
const limitedUrl = (name = "limited", password = "secret") =>
  good.REDIS_URL?.replace("//", `//${name}:${password}@`) ?? "";

/** What is planted before the doctor looks; `mend` takes it away again. */
type Fault = {
  planted?: () => Planted;
  plant?: () => Promise<unknown> | unknown;
  mend?: () => Promise<unknown> | unknown;
  wrong: RegExp[];
  /** What is said to mend it. */
  by: string;
};

test.each<[string, Fault]>([
  [
    "no REDIS_URL",
    { planted: () => ({ env: { REDIS_URL: "" } }), wrong: [/^Variables: REDIS_URL is not set/], by: ".env" },
  ],
  [
    "the secret key where the publishable one belongs",
    {
      planted: () => ({ env: { NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: "sb_secret_exchanged" } }),
      wrong: [
        /^Variables: \S+_PUBLISHABLE_KEY is a secret key\. Browsers/,
        /^Supabase: \S+_PUBLISHABLE_KEY is not a key of this/,
      ],
      by: "API Keys",
    },
  ],
  [
    "an old key of the wrong role",
    {
      planted: () => ({ env: { SUPABASE_SECRET_KEY: jwt("anon") } }),
      wrong: [
        /^Variables: SUPABASE_SECRET_KEY is a key of the old kind for the role anon/,
        /^Supabase: SUPABASE_SECRET_KEY is not/,
      ],
      by: "sb_secret_…",
    },
  ],
  [
    "a site without TLS",
    {
      planted: () => ({ env: { SITE_URL: "http://signet.example" } }),
      wrong: [/SITE_URL is http/, /site URL is https:/, /redirect URLs lack http:/],
      by: "https",
    },
  ],
  [
    "a site with a path",
    {
      planted: () => ({ env: { SITE_URL: "https://signet.example/app" } }),
      wrong: [/SITE_URL has more than an origin/],
      by: "Set it to https://signet.example.",
    },
  ],
  [
    "a search without a password",
    {
      planted: () => ({
        env: { SEARCHSVC_URL_NY: good.SEARCHSVC_URL_SEARCH ?? "", SEARCHSVC_API_EMAIL_NY: search.email },
      }),
      wrong: [/^Variables: The search NY is set in part: SEARCHSVC_API_PASSWORD_NY is not\.$/],
      by: "or none of the three",
    },
  ],
  [
    "an unknown field",
    {
      planted: () => ({ env: { SEARCHSVC_FIELDS_SEARCH: "street,phone" } }),
      wrong: [/^Variables: SEARCHSVC_FIELDS_SEARCH names what no search takes: phone\./],
      by: "Known are street",
    },
  ],
  [
    "another project's publishable key",
    {
      planted: () => ({ env: { NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: "sb_publishable_other" } }),
      wrong: [/^Supabase: NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY is not a key of this project/],
      by: "API Keys",
    },
  ],
  [
    "another project's secret key",
    {
      planted: () => ({ env: { SUPABASE_SECRET_KEY: "sb_secret_other" } }),
      wrong: [/^Supabase: SUPABASE_SECRET_KEY is not a secret key of this project/],
      by: "API Keys",
    },
  ],
  [
    "a Supabase that is not there",
    {
      planted: () => ({ env: { NEXT_PUBLIC_SUPABASE_URL: closed } }),
      wrong: [
        /^Supabase: Auth at http:\/\/127\.0\.0\.1:\d+ cannot be reached: ECONNREFUSED/,
        /^Supabase: REST at http:\/\/127\.0\.0\.1:\d+ cannot be reached: /,
        /^Edge functions: Not reached: get-permissions-snapshot \(ECONNREFUSED\), .*, sync-signers \(ECONNREFUSED\)\.$/,
      ],
      by: "Compare NEXT_PUBLIC_SUPABASE_URL",
    },
  ],
  [
    "an Auth that hangs",
    {
      planted: () => ({ answers: { [`${hosted}/auth/v1/health`]: "silence" } }),
      wrong: [/^Supabase: Auth at \S+ cannot be reached: no answer in time/],
      by: "Compare NEXT_PUBLIC_SUPABASE_URL",
    },
  ],
  [
    "a REST that hangs",
    {
      planted: () => ({ answers: { [`${hosted}/rest/v1/permission_keys?select=key&limit=1`]: "silence" } }),
      wrong: [/^Supabase: REST at \S+ cannot be reached: no answer in time/],
      by: "Compare NEXT_PUBLIC_SUPABASE_URL",
    },
  ],
  [
    "a function of the database that hangs",
    {
      planted: () => ({ answers: { [`${hosted}/rest/v1/rpc/schedule_state`]: "silence" } }),
      wrong: [/^Schedule: This cannot be told: no answer in time/],
      by: "logs",
    },
  ],
  [
    "a clock that is a minute ahead",
    {
      planted: () => ({ ahead: 60_000 }),
      wrong: [/^Supabase: The clock here is (59|6\d) s ahead of/],
      by: "timedatectl",
    },
  ],
  [
    "a clock that is a minute behind",
    {
      planted: () => ({ ahead: -60_000 }),
      wrong: [/^Supabase: The clock here is (59|6\d) s behind/],
      by: "timedatectl",
    },
  ],
  [
    "a migration that was not applied",
    {
      plant: () =>
        database.sql(
          "update supabase_migrations.schema_migrations set version = '20200101000000' where version = '20261101000000'",
        ),
      mend: () =>
        database.sql(
          "update supabase_migrations.schema_migrations set version = '20261101000000' where version = '20200101000000'",
        ),
      wrong: [
        /^Migrations: The database lacks 1 of \d+: 20261101000000/,
        /^Migrations: The database has others than this version: 20200101000000/,
      ],
      by: "npx supabase db push",
    },
  ],
  [
    "a database without the function that tells its migrations",
    {
      plant: () => database.sql("alter function public.applied_migrations set schema private"),
      mend: () => database.sql("alter function private.applied_migrations set schema public"),
      wrong: [/^Migrations: The database is older than this version/],
      by: "npx supabase db push",
    },
  ],
  [
    "a function that is not deployed",
    {
      planted: () =>
        gatewaySays("sync-signers", 404, { code: "NOT_FOUND", message: "Requested function was not found" }),
      wrong: [/^Edge functions: sync-signers is not deployed/],
      by: "npx supabase functions deploy sync-signers",
    },
  ],
  [
    "a function before which tokens are checked",
    {
      planted: () =>
        gatewaySays("send-invitations", 401, {
          code: "UNAUTHORIZED_NO_AUTH_HEADER",
          message: "Missing authorization header",
        }),
      wrong: [/^Edge functions: send-invitations is not reached: .*verify_jwt is on/],
      by: "npx supabase functions deploy send-invitations",
    },
  ],
  [
    "a function that hangs",
    {
      planted: () => ({ answers: { [`${hosted}/functions/v1/get-permissions-snapshot`]: "silence" } }),
      wrong: [/^Edge functions: Not reached: get-permissions-snapshot \(no answer in time\)/],
      by: "logs",
    },
  ],
  [
    "no schedule",
    {
      plant: () => database.sql("drop schema cron cascade"),
      wrong: [/^Schedule: Not scheduled: invalidate-permissions, /],
      by: "supabase/schedule.sql",
    },
  ],
  [
    "a job that is off",
    {
      plant: () => database.sql("update cron.job set active = false where jobname = 'sync-signers'"),
      wrong: [/^Schedule: The job sync-signers is switched off/],
      by: "cron.alter_job",
    },
  ],
  [
    "a job that failed",
    {
      plant: () =>
        database.sql("update cron.job_run_details set status = 'failed', return_message = 'ERROR: no' where jobid = 4"),
      wrong: [/^Schedule: The last run of the job send-invitations failed: ERROR: no/],
      by: "supabase/schedule.sql",
    },
  ],
  [
    "jobs that stand still",
    {
      plant: () =>
        database.sql("update cron.job_run_details set start_time = now() - interval '1 hour' where jobid = 1"),
      wrong: [/^Schedule: The job invalidate-permissions last ran 36\d\d s ago, and is due each 5 s/],
      by: "Restart the project",
    },
  ],
  [
    "notes that nobody carries out",
    {
      plant: () =>
        database.sql(
          "insert into public.permission_changes (user_id, created_at) values ($1, now() - interval '1 hour')",
          [crypto.randomUUID()],
        ),
      mend: () => database.sql("delete from public.permission_changes"),
      wrong: [/^Schedule: Notes wait to be carried out: of permissions for 36\d\d s/],
      by: "REDIS_URL",
    },
  ],
  [
    "no Redis",
    {
      planted: () => ({ env: { REDIS_URL: "redis://127.0.0.1:1" } }),
      wrong: [/^Redis: Redis cannot be used: .*ECONNREFUSED/],
      by: "Compare REDIS_URL",
    },
  ],
  [
    "a wrong password of Redis",
    {
      planted: () => ({ env: { REDIS_URL: limitedUrl("nobody", "wrong-password") } }),
      wrong: [/^Redis: Redis cannot be used: WRONGPASS/],
      by: "Compare REDIS_URL",
    },
  ],
  [
    "a Redis that hangs",
    {
      plant: () => store.freeze(),
      mend: () => store.thaw(),
      wrong: [/^Redis: Redis cannot be used: no answer in time/],
      by: "Compare REDIS_URL",
    },
  ],
  [
    "a Redis that evicts",
    {
      plant: () => redis.config("SET", "maxmemory-policy", "allkeys-lru"),
      mend: () => redis.config("SET", "maxmemory-policy", "noeviction"),
      wrong: [/^Redis: Redis evicts \(allkeys-lru\)/],
      by: "redis-cli CONFIG SET maxmemory-policy noeviction",
    },
  ],
  [
    "a Redis that refuses what is needed",
    {
      plant: () => redis.call("ACL", "SETUSER", "limited", "reset", "on", ">secret", "~*", "+@all", "-rename"),
      planted: () => ({ env: { REDIS_URL: limitedUrl() } }),
      wrong: [/^Redis: Redis refuses what Signet needs: RENAME/],
      by: "+rename",
    },
  ],
  [
    "a wrong password of the search",
    {
      planted: () => ({ env: { SEARCHSVC_API_PASSWORD_SEARCH: "wrong-password" } }),
      wrong: [/^Voter search: The search SEARCH refuses the login \(401\)/],
      by: "SEARCH_BACKEND_EMAIL",
    },
  ],
  [
    "a search that is not there",
    {
      planted: () => ({ env: { SEARCHSVC_URL_SEARCH: closed } }),
      wrong: [/^Voter search: The search SEARCH cannot be reached: ECONNREFUSED/],
      by: "SEARCHSVC_URL_SEARCH",
    },
  ],
  [
    "a search that hangs after the login",
    {
      planted: () => ({ answers: { [`${hosted}/functions/v1/search-backend/essearch/validation`]: "silence" } }),
      wrong: [/^Voter search: The search SEARCH cannot be reached: no answer in time/],
      by: "SEARCHSVC_URL_SEARCH",
    },
  ],
  [
    "addresses that nobody confirms",
    {
      planted: () => auth({ mailer_autoconfirm: true }),
      wrong: [/^Project settings: Addresses are not confirmed/],
      by: "/auth/providers",
    },
  ],
  [
    "addresses that are changed at once",
    {
      planted: () => auth({ mailer_secure_email_change_enabled: false }),
      wrong: [/^Project settings: An address is changed/],
      by: "Secure email change",
    },
  ],
  [
    "no redirects to the site",
    {
      planted: () => auth({ uri_allow_list: "" }),
      wrong: [/^Project settings: The redirect URLs lack https:\/\/signet\.example\/\*\*/],
      by: "/auth/url-configuration",
    },
  ],
  [
    "another site",
    {
      planted: () => auth({ site_url: "http://localhost:3000" }),
      wrong: [/^Project settings: Auth's site URL is http:\/\/localhost:3000/],
      by: "Set it to https://signet.example:",
    },
  ],
  [
    "no SMTP server",
    {
      planted: () => auth({ smtp_host: null }),
      wrong: [/^Project settings: No SMTP server is named/],
      by: "/auth/smtp",
    },
  ],
  [
    "short OTPs",
    {
      planted: () => auth({ mailer_otp_length: 6 }),
      wrong: [/^Project settings: E-mail OTPs have 6 digits/],
      by: "Set their length to 10",
    },
  ],
  [
    "tokens that live for an hour",
    {
      planted: () => auth({ jwt_exp: 3600 }),
      wrong: [/^Project settings: Access tokens live for 3600 s: so long can a session act/],
      by: "/settings/jwt",
    },
  ],
  [
    "a lifetime of tokens that is not told",
    {
      planted: () => auth({ jwt_exp: null }),
      wrong: [/^Project settings: Access tokens live for 3600 s/],
      by: "to 900",
    },
  ],
  [
    "passwords that any session may change",
    {
      planted: () => auth({ security_update_password_require_reauthentication: false }),
      wrong: [/^Project settings: A session of any age can change the password/],
      by: "Secure password change",
    },
  ],
  [
    "another text of an e-mail",
    {
      planted: () => auth({ mailer_templates_recovery_content: "<a href='{{ .ConfirmationURL }}'>" }),
      wrong: [/^Project settings: The text of the e-mail recovery is not/],
      by: "supabase/templates/recovery.html",
    },
  ],
  [
    "another subject of an e-mail",
    {
      planted: () => auth({ mailer_subjects_magic_link: "Your Magic Link" }),
      wrong: [/^Project settings: The subject of the e-mail magic_link is not/],
      by: "An invitation to Signet",
    },
  ],
  [
    "what the platform says of verify_jwt",
    {
      planted: () => ({
        answers: {
          [`${api}/functions`]: {
            status: 200,
            body: [...deployed.slice(1), { slug: "get-permissions-snapshot", verify_jwt: true }],
          },
        },
      }),
      wrong: [/^Project settings: get-permissions-snapshot: .*verify_jwt is on/],
      by: "npx supabase functions deploy get-permissions-snapshot",
    },
  ],
  [
    "a secret that the edge functions lack",
    {
      planted: () => ({ answers: { [`${api}/secrets`]: { status: 200, body: [{ name: "REDIS_URL" }] } } }),
      wrong: [/^Project settings: The edge functions lack the secret SITE_URL/],
      by: "npx supabase secrets set SITE_URL=<SITE_URL>",
    },
  ],
  [
    "a token of somebody else",
    {
      planted: () => ({ env: { SUPABASE_ACCESS_TOKEN: "sbp_other" } }),
      wrong: [/^Project settings: Supabase's Management API tells nothing: it answers 401/],
      by: "account/tokens",
    },
  ],
])("with %s it names that and nothing else, with what mends it, and ends with 1", async (_, fault) => {
  await fault.plant?.();
  const began = performance.now();
  const { code, told, wrong } = await runDoctor(fault.planted?.()).finally(() => fault.mend?.());
  expect(wrong, told).toEqual(fault.wrong.map((sentence) => expect.stringMatching(sentence)));
  expect(
    told.match(/→ .*/g)?.some((mend) => mend.includes(fault.by)),
    told,
  ).toBe(true);
  expect(code).toBe(1);
  expect(performance.now() - began).toBeLessThan(15_000);
});
