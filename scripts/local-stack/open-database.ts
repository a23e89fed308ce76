import { App } from "@supabase/lite";
import { applyPendingMigrations, listMigrationFiles } from "@supabase/lite/cli";
import { createPostgresConnection } from "@supabase/lite/postgres";
import { UserError } from "../cli.ts";
import { encodeJsonArguments, jsonTypes } from "./json-arguments.ts";
import { createMailbox, readEmailTemplates, type SentEmail } from "./mailbox.ts";
import { notifyOfChanges } from "./notify-of-changes.ts";

process.env.LITE_TELEMETRY = "0"; // otherwise the package sends telemetry

/** The API keys and the signing secret of a local Supabase; generated for each machine, never committed. */
export type Keys = { publishable: string; secret: string; jwtSecret: string };

/** The keys, and the password of the account that the search backend serves. */
export type StackKeys = Keys & { searchPassword: string };

export type Database = {
  /** Serves REST and Auth as Supabase does. */
  fetch(request: Request): Promise<Response>;
  /** Runs SQL as the database's owner, bypassing policies: for migrations, demo data and tests. */
  sql<Row = Record<string, unknown>>(query: string, parameters?: unknown[]): Promise<Row[]>;
  /** The emails that Auth has sent, newest first. */
  emails: SentEmail[];
  close(): Promise<void>;
};

/**
 * Opens Supabase's database, Auth and REST on a PostgreSQL database, and brings it up to the newest migration. Up to ten
 * requests and statements run at once. Links in emails lead to `siteUrl`. Throws a UserError if other migrations were applied
 * there than those in supabase/migrations.
 */
export async function openDatabase({
  url,
  keys,
  siteUrl = "http://localhost:3000",
}: {
  url: string;
  keys: Keys;
  siteUrl?: string;
}): Promise<Database> {
  const connection = createPostgresConnection({
    url,
    postgresOptions: { onnotice: () => undefined, types: jsonTypes },
  });

  // Lite would grant every table of a schema to anon and authenticated, undoing the grants of our migrations.
  Object.assign(connection, { ensureRlsContext: () => Promise.resolve(true) });

  encodeJsonArguments(connection);

  const sql: Database["sql"] = async <Row>(query: string, parameters: unknown[] = []) => [
    ...((await connection.driver.unsafe(query, parameters as never[])) as unknown as Row[]),
  ];
  const mailbox = createMailbox(siteUrl);
  const app = new App({
    connection,
    options: { drivers: { email: mailbox.driver } },
    auth: {
      enabled: true,
      site_url: siteUrl,
      // If both emails have to confirm a change, lite only asks the old one.
      email: { double_confirm_changes: false, template: readEmailTemplates("template") },
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
    throw new UserError(
      "The database was made by another version of Signet. Start with new data: `npm run demo -- --reset` (or `dev`, or " +
        "`stack`). Or set DATABASE_URL to an empty one.",
    );
  }
  await applyPendingMigrations(app);
  return {
    fetch: (request) =>
      notifyOfChanges(request, {
        sql,
        emails: mailbox.emails,
        run: () => mailbox.handle(request, () => withoutOtpSession(request, sql, async () => app.fetch(request))),
      }),
    sql,
    emails: mailbox.emails,
    close: () => connection.driver.end({ timeout: 2 }), // new requests would keep it open
  };
}

// For a new address lite also starts a session, before the link is used; Auth, which confirms addresses, doesn't.
async function withoutOtpSession(request: Request, sql: Database["sql"], run: () => Promise<Response>) {
  if (!new URL(request.url).pathname.endsWith("/auth/v1/otp")) return run();
  const body = await request.clone().text();
  const response = await run();
  if (!response.ok) return response;
  await sql(
    `delete from auth.sessions s using auth.users u
     where u.id = s.user_id and u.email = lower($1::json ->> 'email') and s.created_at >= u.recovery_sent_at`,
    [body],
  );
  return response;
}

// Whether a migration was applied that is missing from the folder or differs there: lite would skip it.
async function hasOtherMigrations(sql: Database["sql"], files: { version: string; sql: string }[]) {
  const [{ table } = {}] = await sql("select to_regclass('supabase_migrations.schema_migrations') as table");
  if (!table) return false;
  const applied = await sql<{ version: string; text: string }>(
    "select version, coalesce(array_to_string(statements, ' '), '') as text from supabase_migrations.schema_migrations",
  );
  const bare = (text: string) => text.replace(/[;\s]/g, ""); // lite stores the statements without separators
  return applied.some(({ version, text }) => {
    const file = files.find((f) => f.version === version);
    return !file || bare(file.sql) !== bare(text);
  });
}

// The roles that REST switches to on Supabase, before any migration names them.
async function createApiRoles(sql: Database["sql"]) {
  for (const role of ["anon", "authenticated", "service_role"]) {
    const rows = await sql("select 1 from pg_roles where rolname = $1", [role]);
    if (rows.length === 0) await sql(`create role ${role} nologin ${role === "service_role" ? "bypassrls" : ""}`);
  }
}
