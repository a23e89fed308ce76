// A database of other migrations, such as data from an older version, is refused in one sentence.
import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { UserError } from "../../../scripts/cli.ts";
import { openDatabase } from "../../../scripts/local-stack/open-database.ts";
import { dropDatabase } from "../../../scripts/local-stack/postgres-server.ts";
import { copyDatabase } from "../../support/test-database.ts";

const keys = { publishable: "sb_publishable_x", secret: "sb_secret_x", jwtSecret: "x".repeat(32) };

// Opens a database of these migrations after a change.
async function reopen(change: string) {
  const url = await copyDatabase();
  const sql = postgres(url, { max: 1 });
  await sql.unsafe(change);
  await sql.end();
  try {
    const again = await openDatabase({ url, keys });
    await again.close();
  } finally {
    await dropDatabase(inject("postgres"), new URL(url).pathname.slice(1));
  }
}

test("a database of these migrations is opened again", async () => {
  await expect(reopen("select 1")).resolves.toBeUndefined();
});

test.each([
  ["has another text", "update supabase_migrations.schema_migrations set statements[2] = 'select 1'"],
  ["no longer exists", "update supabase_migrations.schema_migrations set version = '20261101000300'"],
  ["is followed by another", "insert into supabase_migrations.schema_migrations (version) values ('20261101000300')"],
])("a database whose migration %s is refused", async (_, change) => {
  const refused = reopen(change);
  await expect(refused).rejects.toBeInstanceOf(UserError);
  await expect(refused).rejects.toThrow(
    "The database was made by another version of Signet. Start with new data: `npm run demo -- --reset` (or `dev`, or `stack`). Or set DATABASE_URL to an empty one.",
  );
});
