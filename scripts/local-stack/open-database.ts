import { fuzzystrmatch } from "@electric-sql/pglite/contrib/fuzzystrmatch";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { App } from "@supabase/lite";
import { applyPendingMigrations, listMigrationFiles } from "@supabase/lite/cli";
import { createPgliteConnection } from "@supabase/lite/pglite";
import { createPostgresConnection } from "@supabase/lite/postgres";
import { jsonTypes, mendJsonArguments } from "./json-arguments.ts";
import { createMailbox, type Mail, readMailTemplates } from "./mailbox.ts";
import { Refusal } from "./report.ts";

/** The API keys and the signing secret of a local Supabase; made new for each machine, never committed. */
export type Keys = { publishable: string; secret: string; jwtSecret: string };

/** The keys, and the password of the account that the search backend serves. */
export type StackKeys = Keys & { searchPassword: string };

export type Database = {
  /** Answers REST and Auth requests as Supabase does. */
  fetch(request: Request): Promise<Response>;
  /** Runs SQL as the owner of the database, past every policy: for migrations, demo data and tests. */
  sql<Row = Record<string, unknown>>(query: string, parameters?: unknown[]): Promise<Row[]>;
  /** What Auth has sent by e-mail, the newest first. */
  mails: Mail[];
  /** All that is stored, to open copies of; a PostgreSQL server does not give it. */
  dump(): Promise<Blob>;
  close(): Promise<void>;
};

type Location = { folder: string } | { databaseUrl: string } | { copyOf: Blob } | "memory";

/**
 * Opens Supabase's database, Auth and REST on PGlite (a folder, memory or a copy in memory) or on a PostgreSQL server, and
 * brings it up to the newest migration. A folder must be locked by the caller: PGlite does not, and two processes lose
 * writes. Links in e-mails lead to `siteUrl`. Throws a Refusal when other migrations were applied there than supabase/migrations holds.
 */
export async function openDatabase({
  location,
  keys,
  siteUrl = "http://localhost:3000",
}: {
  location: Location;
  keys: Keys;
  siteUrl?: string;
}): Promise<Database> {
  const connection =
    typeof location === "object" && "databaseUrl" in location
      ? createPostgresConnection({
          url: location.databaseUrl,
          postgresOptions: { onnotice: () => undefined, types: jsonTypes },
        })
      : await createPgliteConnection({
          url: typeof location === "object" && "folder" in location ? location.folder : "memory://",
          pgliteOptions: {
            extensions: { fuzzystrmatch, pg_trgm, unaccent },
            ...(typeof location === "object" && "copyOf" in location && { loadDataDir: location.copyOf }),
          },
        });

  // Lite would grant every table of a schema to anon and authenticated, undoing the grants of our migrations.
  Object.assign(connection, { ensureRlsContext: () => Promise.resolve(true) });

  mendJsonArguments(connection);

  // PGlite has one connection: two requests at once would share one transaction, and with it one user's role.
  const inTurn = "unsafe" in connection.driver ? <T>(run: () => Promise<T>) => run() : oneAtATime();
  const sql: Database["sql"] = <Row>(query: string, parameters: unknown[] = []) =>
    inTurn(async () =>
      "unsafe" in connection.driver
        ? ((await connection.driver.unsafe(query, parameters as never[])) as unknown as Row[])
        : (await connection.driver.query<Row>(query, parameters)).rows,
    );

  const mailbox = createMailbox(siteUrl);
  const app = new App({
    connection,
    options: { drivers: { email: mailbox.driver } },
    auth: {
      enabled: true,
      site_url: siteUrl,
      // Where both addresses have to confirm a change, lite asks the old one alone.
      email: { double_confirm_changes: false, template: readMailTemplates() },
      publishable_key: keys.publishable,
      secret_key: keys.secret,
      jwt_secret: keys.jwtSecret,
      minimum_password_length: 10,
      jwt_expiry: 900,
    },
  });
  await createApiRoles(sql);
  await app.ensureSystemSchema();
  if (await hasOtherMigrations(sql, await listMigrationFiles(app))) {
    await connection.close();
    const place = typeof location === "object" && "folder" in location ? location.folder : "The database";
    throw new Refusal(
      typeof location === "object" && "databaseUrl" in location
        ? "The database at DATABASE_URL was made by another version of Signet. Name an empty one."
        : `${place} was made by another version of Signet. Begin with new data: \`npm run demo -- --reset\` ` +
            "(or `dev`, or `stack`).",
    );
  }
  await applyPendingMigrations(app);
  // PGlite copies its list of parsers for each statement, and most of it is arrays of the catalog's rows, which nobody reads.
  if ("parsers" in connection.driver) {
    const parsers = Object.entries(connection.driver.parsers).filter(([type]) => Number(type) < 10_000);
    connection.driver.parsers = Object.fromEntries(parsers);
  }

  return {
    fetch: (request) => inTurn(() => mailbox.handle(request, () => app.fetch(request))),
    sql,
    mails: mailbox.mails,
    dump: async () => {
      if ("unsafe" in connection.driver) throw new Error("A PostgreSQL server is dumped with pg_dump.");
      return connection.driver.dumpDataDir("none");
    },
    close: () => connection.close(),
  };
}

// Whether a migration was applied that is not in the folder, or has another text there: lite would pass it over.
async function hasOtherMigrations(sql: Database["sql"], files: { version: string; sql: string }[]) {
  const [{ table } = {}] = await sql("select to_regclass('supabase_migrations.schema_migrations') as table");
  if (!table) return false;
  const applied = await sql<{ version: string; text: string }>(
    "select version, coalesce(array_to_string(statements, ' '), '') as text from supabase_migrations.schema_migrations",
  );
  const bare = (text: string) => text.replace(/[;\s]/g, ""); // lite keeps the statements without what parts them
  return applied.some(({ version, text }) => {
    const file = files.find((f) => f.version === version);
    return !file || bare(file.sql) !== bare(text);
  });
}

// As on Supabase: the roles that REST takes on, before any migration names them.
async function createApiRoles(sql: Database["sql"]) {
  for (const role of ["anon", "authenticated", "service_role"]) {
    const found = await sql("select 1 from pg_roles where rolname = $1", [role]);
    if (found.length === 0) await sql(`create role ${role} nologin ${role === "service_role" ? "bypassrls" : ""}`);
  }
}

function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}
