// A backup and a restore with the commands of docs/operate.md, into a database with all migrations and reference data, as a
// new project has after `supabase db push`.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { addDemoData, demoPassword } from "../../../scripts/demo-data/demo-data.ts";
import { type Database, openDatabase } from "../../../scripts/local-stack/open-database.ts";
import {
  createDatabase,
  installedPostgres,
  type PostgresServer,
  startTemporaryPostgres,
} from "../../../scripts/local-stack/postgres-server.ts";

const keys = {
  publishable: "sb_publishable_restore",
  secret: "sb_secret_restore",
  jwtSecret: randomBytes(32).toString("hex"),
  searchPassword: "search-password-1",
};
// npm has no pg_dump, and pg_dump refuses newer servers, so all programs are those installed on the machine.
const programs = installedPostgres().find(({ bin: of }) =>
  ["pg_dump", "psql"].every((name) => existsSync(join(of, name))),
);
if (!programs) throw new Error("This drill needs PostgreSQL's pg_dump and psql, 15 or newer: install them.");
const { bin } = programs;
const folder = mkdtempSync(join(tmpdir(), "signet-restore-"));

let server: PostgresServer;
let before: Database;
let after: Database;
const addresses = { before: "", after: "" };
beforeAll(async () => {
  server = await startTemporaryPostgres({ programs });
  for (const name of ["before", "after"] as const) addresses[name] = await createDatabase(server.url, name);
  before = await openDatabase({ url: addresses.before, keys });
  await addDemoData(before, keys);
  after = await openDatabase({ url: addresses.after, keys });
}, 180_000);
afterAll(async () => {
  await before?.close();
  await after?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function run(program: string, args: string[]) {
  const { status, stderr, error } = spawnSync(join(bin, program), args, { encoding: "utf8" });
  expect(status, error?.message ?? stderr).toBe(0);
}

/** The number of rows of each table that has any, and a hash of them. */
async function contents(database: Database) {
  const tables = await database.sql<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r'
       and relnamespace::regnamespace::text in ('public', 'private', 'voterfile', 'auth') order by 1`,
  );
  const all: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await database.sql<{ rows: string; hash: string }>(
      `select count(*)::text as rows, md5(string_agg(t::text, e'\\n' order by t::text)) as hash from ${name} t`,
    );
    if (row && row.rows !== "0") all[name] = row;
  }
  return all;
}

test("a restore brings everything back, and work can continue", async () => {
  const data = join(folder, "data.sql");
  const schemas = ["--schema=public", "--schema=private", "--schema=voterfile", "--schema=auth"];
  run("pg_dump", [
    "--data-only",
    ...schemas,
    "--exclude-table=auth.schema_migrations",
    "--file",
    data,
    addresses.before,
  ]);
  const once = ["--single-transaction", "--set", "ON_ERROR_STOP=1", "--quiet"];
  run("psql", [
    ...once,
    "--file",
    "supabase/restore.sql",
    "--file",
    data,
    "--command",
    "select private.recount()",
    addresses.after,
  ]);

  const original = await contents(before);
  expect(Object.keys(original)).toEqual(
    expect.arrayContaining(["auth.users", "lines", "audit_log", "voterfile.voters"]),
  );
  expect(await contents(after)).toEqual(original);

  // A person signs in with their password and has their access.
  const post = async (path: string, apikey: string, body: object) => {
    const headers = { apikey, "content-type": "application/json" };
    const request = new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return (await after.fetch(request)).json();
  };
  const signedIn = await post("/auth/v1/token?grant_type=password", keys.publishable, {
    email: "clerk@demo.test",
    password: demoPassword,
  });
  const { user } = z.object({ user: z.object({ id: z.string() }) }).parse(signedIn);
  expect(await post("/rest/v1/rpc/permission_places", keys.secret, { p_user_id: user.id })).toMatchObject({
    teams: [{ id: "riverside" }],
  });

  // Triggers run again, and sequences continue.
  const line = `insert into public.lines (id, team_id, campaign_id, sheet, line, verdict, entered_by)
    select gen_random_uuid(), 'riverside', 'clean-water', 990, 1, 'not-found', user_id from public.profiles limit 1`;
  await after.sql(line);
  await expect(after.sql("delete from public.audit_log")).rejects.toThrow(/can't be changed or deleted/);
});
