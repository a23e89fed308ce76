// One PostgreSQL server for all integration tests of a run, with a migrated database: copying it takes a fraction of the time
// of migrating.
import type { TestProject } from "vitest/node";
import { openDatabase } from "../../scripts/local-stack/open-database.ts";
import { createDatabase, startTemporaryPostgres } from "../../scripts/local-stack/postgres-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The URL of the database `postgres` for the superuser; only integration tests have it. */
    postgres: string;
  }
}

export default async function setup(project: TestProject) {
  const server = await startTemporaryPostgres();
  const url = await createDatabase(server.url, "migrated");
  const keys = { publishable: "sb_publishable_x", secret: "sb_secret_x", jwtSecret: "x".repeat(32) };
  const database = await openDatabase({ url, keys });
  await database.close();
  project.provide("postgres", server.url);
  return server.stop;
}
