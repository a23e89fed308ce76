import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { logProgress, readArguments, runScript, UserError } from "./cli.ts";
import { startTemporaryPostgres } from "./local-stack/postgres-server.ts";
import { buildDatabase, newProject } from "./schema/build-database.ts";
import { compareDatabases } from "./schema/compare-databases.ts";
import { findRulesChangedWithoutRenewal } from "./schema/find-cached-rules.ts";

const usage = `npm run schema [-- --write]

Checks that supabase/migrations build the database described in supabase/schemas, and that the generated types match it.

  --write  regenerate the types and, until the first release, the single migration (all files of supabase/schemas in order)
  --help   print this`;
const { write } = readArguments(usage, { options: { write: { type: "boolean" } } }).values;

const root = resolve(import.meta.dirname, "..");
const baselineFile = "supabase/migrations/20261101000000_baseline.sql";
const typesFile = "supabase/functions/_shared/database.ts";

const readFiles = (patterns: string[]) =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }).sort())
    .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }));

await runScript(async () => {
  const schemas = readFiles(schemaPaths());
  if (write && readFiles(["supabase/migrations/*.sql"]).every(({ name }) => name === baselineFile)) {
    const parts = schemas.map(({ name, text }) => `-- ${name}\n\n${text}`);
    const note = "-- Generated from supabase/schemas by `npm run schema -- --write`. Edit the files there.\n";
    writeFileSync(join(root, baselineFile), [note, ...parts].join("\n"));
  }

  const rules = readFileSync(join(root, "supabase/schemas/040_permission_rules.sql"), "utf8");
  const laterMigrations = readFiles(["supabase/migrations/*.sql"]).filter(({ name }) => name !== baselineFile);
  const unrenewedRules = laterMigrations.flatMap(({ name, text }) =>
    findRulesChangedWithoutRenewal(rules, text).map((rule) => `${name}: ${rule}`),
  );
  if (unrenewedRules.length > 0) {
    throw new UserError(
      `${unrenewedRules.join("\n")}\nThese change permissions, but cached permissions stay valid for up to an hour. End each of ` +
        "these migrations with `select private.renew_all_permissions();`.",
    );
  }

  logProgress("Building one database from the schemas and one from the migrations");
  const server = await startTemporaryPostgres();
  try {
    await newProject(server);
    const migrated = await buildDatabase(server, "migrated", readFiles(["supabase/migrations/*.sql"]));
    const differences = await compareDatabases(await buildDatabase(server, "schemas", schemas), migrated);
    if (differences.length > 0) {
      console.log(`${differences.join("\n\n")}\n`);
      throw new UserError(
        "supabase/schemas (-) and supabase/migrations (+) differ as shown above. Until the first release run " +
          "`npm run schema -- --write`; from then on, write a migration that makes the same change.",
      );
    }
    logProgress("Generating the types");
    const { generateTypes } = await import("./schema/generate-types.ts"); // takes seconds to load
    const text = await generateTypes(migrated);
    if (write) writeFileSync(join(root, typesFile), text);
    else if (readFileSync(join(root, typesFile), "utf8") !== text) {
      throw new UserError(`${typesFile} is out of date. Run \`npm run schema -- --write\`.`);
    }
    logProgress("Schemas, migrations and types agree");
  } finally {
    await server.stop();
  }
});

// In the order in which the Supabase CLI reads them.
function schemaPaths() {
  const config = readFileSync(join(root, "supabase/config.toml"), "utf8");
  const paths = [...(/^schema_paths = \[(.*)\]$/m.exec(config)?.[1] ?? "").matchAll(/"(.+?)"/g)];
  if (paths.length === 0) throw new Error("supabase/config.toml has no `schema_paths` on one line.");
  return paths.map(([, path = ""]) => join("supabase", path));
}
