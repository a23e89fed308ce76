// A database that other migrations made, as data kept from before: it is refused in a sentence and left as it is.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../scripts/local-stack/open-database.ts";
import { Refusal } from "../../../scripts/local-stack/report.ts";

const keys = { publishable: "sb_publishable_x", secret: "sb_secret_x", jwtSecret: "x".repeat(32) };

let database: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  database = await openDatabase({ location: "memory", keys });
});
afterAll(() => database?.close());

const reopened = async () => openDatabase({ location: { copyOf: await database.dump() }, keys });

test("one that these migrations made is opened again", async () => {
  const again = await reopened();
  expect(await again.sql("select count(*)::int as applied from supabase_migrations.schema_migrations")).toEqual([
    { applied: 1 },
  ]);
  await again.close();
});

test.each([
  ["has another text", "update supabase_migrations.schema_migrations set statements[2] = 'select 1'"],
  ["is not there any more", "update supabase_migrations.schema_migrations set version = '20261101000300'"],
  ["is there beside another", "insert into supabase_migrations.schema_migrations (version) values ('20261101000300')"],
])("one whose migration %s is refused", async (_, change) => {
  await database.sql("create temporary table kept as select * from supabase_migrations.schema_migrations");
  await database.sql(change);
  const refused = reopened();
  await expect(refused).rejects.toBeInstanceOf(Refusal);
  await expect(refused).rejects.toThrow(
    "The database was made by another version of Signet. Begin with new data: `npm run demo -- --reset` (or `dev`, or `stack`).",
  );
  await database.sql("truncate supabase_migrations.schema_migrations");
  await database.sql("insert into supabase_migrations.schema_migrations select * from kept");
  await database.sql("drop table kept");
});
