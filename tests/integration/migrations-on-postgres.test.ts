// The migrations on a bare PostgreSQL server, as the supabase CLI brings them there; and Signet's local stack on such a
// server. A machine without PostgreSQL proves the same on PGlite, and says so.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openDatabase } from "../../scripts/local-stack/open-database.ts";
import { startPostgres } from "../support/postgres-server.ts";

const root = resolve(import.meta.dirname, "../..");
const migrations = readdirSync(join(root, "supabase/migrations")).sort();

const server = await startPostgres();
if (!server)
  console.log("There is no PostgreSQL on this machine: the migrations are proven on PGlite, without the CLI.");
afterAll(() => server?.stop());

// ── The supabase CLI ─────────────────────────────────────────────────────────────────────────────────────────────────

const home = mkdtempSync(join(tmpdir(), "signet-cli-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

// Without a PATH, no machine's Docker or Podman is found.
function supabase(args: string[], folder = root) {
  const cli = join(root, "node_modules/supabase/dist/supabase.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args, "--yes"], {
    cwd: folder,
    env: { NODE_ENV: "production", PATH: "", HOME: home, DO_NOT_TRACK: "1", SUPABASE_TELEMETRY_DISABLED: "1" },
    encoding: "utf8",
    timeout: 60_000,
  });
  return { status, printed: stdout + stderr };
}

describe("supabase functions serve", () => {
  // The CLI reads config.toml first and asks for Docker then.
  test("finds nothing wrong with config.toml: it lacks Docker alone", () => {
    const { status, printed } = supabase(["functions", "serve"]);
    expect(status).toBe(1);
    expect(printed).toMatch(/Docker Desktop is a prerequisite/);
    expect(printed).not.toMatch(/config/i);
  });

  test("would find a wrong value there", () => {
    const copy = join(home, "wrong");
    cpSync(join(root, "supabase"), join(copy, "supabase"), { recursive: true });
    const config = join(copy, "supabase/config.toml");
    writeFileSync(config, readFileSync(config, "utf8").replace("verify_jwt = false", 'verify_jwt = "maybe"'));
    const { status, printed } = supabase(["functions", "serve"], copy);
    expect(status).toBe(1);
    expect(printed).toMatch(/ConfigParseError/);
    expect(printed).not.toMatch(/Docker/);
  });
});

// ── Bare migrations ──────────────────────────────────────────────────────────────────────────────────────────────────

type Bare = {
  /** Runs SQL as the superuser. */
  sql(query: string): Promise<unknown[]>;
  close(): Promise<void>;
};

// What Supabase's image brings, and the migrations stand on. `migrator` stands for Supabase's `postgres`: it owns the
// database and is no superuser. The default privileges are Supabase's: everything in `public` to the three API roles.
const supabaseImage = (password: string) => `
  create role anon nologin noinherit;
  create role authenticated nologin noinherit;
  create role service_role nologin noinherit bypassrls;
  create role migrator login createrole bypassrls password '${password}';
  grant anon, authenticated, service_role to migrator;
  create database signet owner migrator;
`;
const databaseOfImage = `
  create role supabase_auth_admin nologin noinherit createrole;
  create schema auth authorization supabase_auth_admin;
  grant usage on schema auth to anon, authenticated, service_role, migrator;
  create table auth.users (id uuid primary key, email text, raw_user_meta_data jsonb);
  alter table auth.users owner to supabase_auth_admin;
  grant all on auth.users to migrator;
  create function auth.uid() returns uuid language sql stable as $$
    select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
  $$;
  alter default privileges for role migrator in schema public grant all on tables to anon, authenticated, service_role;
  alter default privileges for role migrator in schema public grant all on sequences to anon, authenticated, service_role;
  alter default privileges for role migrator in schema public grant all on functions to anon, authenticated, service_role;
`;

async function openBare(): Promise<Bare> {
  const password = randomBytes(16).toString("hex");
  if (!server) {
    const pglite = await PGlite.create("memory://", { extensions: { pg_trgm, unaccent } });
    await pglite.exec(
      supabaseImage(password).replace(/create database .*/, "alter database postgres owner to migrator;"),
    );
    await pglite.exec(databaseOfImage);
    await pglite.exec("set role migrator");
    for (const name of migrations) {
      await pglite.exec(readFileSync(join(root, "supabase/migrations", name), "utf8"));
    }
    await pglite.exec("reset role");
    return {
      sql: async (query) => (await pglite.exec(query)).at(-1)?.rows ?? [],
      close: () => pglite.close(),
    };
  }
  const cluster = postgres(server.url, { max: 1 });
  for (const statement of supabaseImage(password).split(";\n")) await cluster.unsafe(statement);
  await cluster.end();
  const address = new URL(server.url);
  address.pathname = "/signet";
  const owner = postgres(address.href, { max: 1 });
  await owner.unsafe(databaseOfImage);

  address.username = "migrator";
  address.password = password;
  const push = ["db", "push", "--db-url", `${address.href}?sslmode=disable`];
  const first = supabase(push);
  expect(first.status, first.printed).toBe(0);
  const again = supabase(push);
  expect(again).toEqual({ status: 0, printed: expect.stringContaining("up to date") });
  const pushed = await owner.unsafe("select version from supabase_migrations.schema_migrations order by version");
  expect(pushed.map(({ version }) => version)).toEqual(migrations.map((name) => name.slice(0, 14)));

  return {
    sql: async (query) => {
      const result: unknown = await owner.unsafe(query);
      const last: unknown = Array.isArray(result) && Array.isArray(result.at(-1)) ? result.at(-1) : result;
      return z.array(z.unknown()).parse(last);
    },
    close: () => owner.end(),
  };
}

describe("the migrations, made by a role that is no superuser", () => {
  let bare: Bare;
  const ada = "00000000-0000-4000-8000-00000000000a";
  const rosa = "00000000-0000-4000-8000-00000000000b";
  const toby = "00000000-0000-4000-8000-00000000000c";

  // One user's role and claims for one transaction, as REST sets them.
  const as = (role: "anon" | "authenticated" | "service_role", query: string, user?: string) =>
    bare
      .sql(
        `begin; set local role ${role}; set local request.jwt.claims = '${user ? `{"sub":"${user}"}` : ""}'; ${query}; `,
      )
      .finally(() => bare.sql("rollback"));
  const snapshot = async (user: string, campaign: string) =>
    await as("service_role", `select public.permissions_snapshot('${user}', 'riverside', '${campaign}') as snapshot`);

  beforeAll(async () => {
    bare = await openBare();
    // Auth itself makes the users, with a role that may not write to `public`.
    await bare.sql(`
      set role supabase_auth_admin;
      insert into auth.users (id, email, raw_user_meta_data) values
        ('${ada}', 'ada@people.test', '{"name":"Ada"}'),
        ('${rosa}', 'rosa@people.test', null),
        ('${toby}', 'toby@people.test', null);
      reset role;
    `);
    await bare.sql(`
      set role service_role;
      insert into public.teams (id, name) values ('riverside', 'Riverside');
      insert into public.campaigns (id, name) values ('clean-water', 'Clean water'), ('open-parks', 'Open parks');
      insert into public.campaign_team (team_id, campaign_id) values
        ('riverside', 'clean-water'), ('riverside', 'open-parks');
      insert into public.team_p_sets (team_id, permission_set_id)
        select 'riverside', id from public.permission_sets where name = 'Team administration';
      insert into public.campaign_team_sets (team_id, campaign_id, permission_set_id)
        select 'riverside', 'clean-water', id from public.permission_sets where name = 'Chart building';
      insert into public.team_users (user_id, team_id, role_id, status)
        select m.user_id::uuid, 'riverside', r.id, m.status
        from (values
          ('${ada}', 'Administrator', 'active'),
          ('${rosa}', 'Field team', 'active'),
          ('${toby}', 'Field team', 'suspended')
        ) as m (user_id, role, status)
        join public.roles r on r.name = m.role;
      insert into public.campaign_user_roles_team (user_id, team_id, campaign_id, role_id)
        select u.id::uuid, 'riverside', 'clean-water', r.id
        from (values ('${rosa}'), ('${toby}')) as u (id)
        join public.roles r on r.name = 'Signature clerk';
      reset role;
    `);
  });
  afterAll(() => bare?.close());

  test.each([
    [
      "an administrator, with what she holds in the team and in this campaign",
      ada,
      "clean-water",
      true,
      ["charts.edit", "charts.view", "members.manage", "members.view", "roles.manage"],
    ],
    [
      "an administrator, in another campaign of the team",
      ada,
      "open-parks",
      true,
      ["members.manage", "members.view", "roles.manage"],
    ],
    [
      "a member, with the roles that she holds in the team and in this campaign",
      rosa,
      "clean-water",
      true,
      ["campaign.view", "signatures.enter", "signatures.view", "voters.search"],
    ],
    ["a member, in a campaign that is not hers", rosa, "open-parks", false, ["voters.search"]],
  ])("answer rightly about %s", async (_, user, campaign, campaignAccess, permissionKeys) => {
    expect(await snapshot(user, campaign)).toEqual([
      { snapshot: { teamAccess: true, campaignAccess, permissionKeys } },
    ]);
  });

  test("give a suspended member nothing", async () => {
    const nothing = { teamAccess: false, campaignAccess: false, permissionKeys: [] };
    expect(await snapshot(toby, "clean-water")).toEqual([{ snapshot: nothing }]);
  });

  test("let a signed-in user read what is hers, and ask for nobody's snapshot", async () => {
    expect(await as("authenticated", "select name from public.profiles", ada)).toEqual([{ name: "Ada" }]);
    expect(await as("authenticated", "select id from public.campaigns", rosa)).toEqual([{ id: "clean-water" }]);
    expect(await as("authenticated", "select id from public.campaigns", toby)).toEqual([]);
    const ask = `select public.permissions_snapshot('${rosa}', 'riverside', null)`;
    await expect(as("authenticated", ask, rosa)).rejects.toThrow(/permission denied/);
    await expect(as("anon", "select id from public.teams")).rejects.toThrow(/permission denied/);
  });

  test("take back what Supabase grants by default, and leave no table without row-level security", async () => {
    const tables = `
      from pg_class c cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) p
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p')`;
    expect(await bare.sql(`select c.relname, p ${tables} and has_table_privilege('anon', c.oid, p)`)).toEqual([]);
    expect(
      await bare.sql(
        `select c.relname, p ${tables} and p in ('truncate', 'references', 'trigger')
           and has_table_privilege('authenticated', c.oid, p)`,
      ),
    ).toEqual([]);
    expect(
      await bare.sql(`select distinct c.relname ${tables} and c.relkind in ('r', 'p') and not c.relrowsecurity`),
    ).toEqual([]);
    expect(
      await bare.sql(
        `select p.proname from pg_proc p
         where p.pronamespace = 'public'::regnamespace and has_function_privilege('anon', p.oid, 'execute')`,
      ),
    ).toEqual([]);
  });
});

// ── The local stack's database on a server ───────────────────────────────────────────────────────────────────────────

const signedUp = z.object({ access_token: z.string(), user: z.object({ id: z.uuid() }) });

test("REST, Auth and row-level security hold on a server with twenty requests at once", async () => {
  const random = () => randomBytes(24).toString("hex");
  const keys = { publishable: `sb_publishable_${random()}`, secret: `sb_secret_${random()}`, jwtSecret: random() };
  const location = server ? { databaseUrl: await createDatabase("stack") } : "memory";
  const database = await openDatabase({ location, keys });
  const send = async (path: string, headers: Record<string, string>, body?: unknown) => {
    const response = await database.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const answer: unknown = await response.json();
    return answer;
  };
  try {
    const people = await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        const name = `person-${number}`;
        const body = { email: `${name}@people.test`, password: random(), data: { name } };
        const { access_token, user } = signedUp.parse(
          await send("/auth/v1/signup", { apikey: keys.publishable }, body),
        );
        return { id: user.id, name, headers: { apikey: keys.publishable, authorization: `Bearer ${access_token}` } };
      }),
    );
    const profiles = "/rest/v1/profiles?select=user_id,name&order=name";
    for (let round = 0; round < 5; round++) {
      const [all, ...own] = await Promise.all([
        send(profiles, { apikey: keys.secret }),
        ...people.map(({ headers }) => send(profiles, headers)),
      ]);
      expect(own).toEqual(people.map(({ id, name }) => [{ user_id: id, name }]));
      expect(all).toHaveLength(20);
    }
  } finally {
    await database.close();
  }
});

test("of two changes that overlap, each notes whom the other brings in", async () => {
  const keys = { publishable: "sb_publishable_x", secret: "sb_secret_x", jwtSecret: randomBytes(24).toString("hex") };
  const databaseUrl = server && (await createDatabase("overlap"));
  const database = await openDatabase({ location: databaseUrl ? { databaseUrl } : "memory", keys });
  const connections = databaseUrl ? postgres(databaseUrl, { max: 1, onnotice: () => undefined }) : undefined;
  try {
    const ivy = "00000000-0000-4000-8000-000000000001";
    await database.sql("insert into auth.users (id, email) values ($1, 'ivy@people.test')", [ivy]);
    await database.sql("insert into public.teams (id, name) values ('north', 'North')");
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id) select $1, 'north', id from public.roles where name = 'Office'",
      [ivy],
    );
    await database.sql("delete from public.permission_changes");

    // A revoke from her role is under way while she becomes active, is noted and, as the schedule does, carried out.
    const revoke = "delete from public.role_p_sets where role_id = (select id from public.roles where name = 'Office')";
    const activate = () => database.sql("update public.team_users set status = 'active'");
    if (connections) {
      await connections.unsafe("begin");
      await connections.unsafe(revoke);
      const activated = activate();
      const first = await Promise.race([activated, new Promise((late) => setTimeout(late, 1_000, "waits"))]);
      if (first !== "waits") await database.sql("delete from public.permission_changes");
      await connections.unsafe("commit");
      await activated;
    } else {
      await database.sql(revoke);
      await activate();
    }
    expect(await database.sql("select distinct user_id from public.permission_changes")).toEqual([{ user_id: ivy }]);
  } finally {
    await connections?.end();
    await database.close();
  }
});

async function createDatabase(name: string) {
  if (!server) throw new Error("There is no server.");
  const cluster = postgres(server.url, { max: 1 });
  await cluster.unsafe(`create database ${name}`);
  await cluster.end();
  const address = new URL(server.url);
  address.pathname = `/${name}`;
  return address.href;
}
