import { createPostgresConnection } from "@supabase/lite/postgres";
import { afterAll, inject } from "vitest";
import { jsonTypes } from "../../scripts/local-stack/json-arguments.ts";
import { dropDatabase } from "../../scripts/local-stack/postgres-server.ts";
import { copyDatabase, type TestDatabase } from "./test-database.ts";

/** A database over one connection, so that settings and transactions apply to the following statements. */
export type SqlSession = Pick<TestDatabase, "url" | "sql" | "close"> & {
  /** Runs in a transaction that is rolled back. */
  undone<T>(run: () => Promise<T>): Promise<T>;
};

/** The session of a test file, as openSqlSession opens it, which is closed after its tests. */
export async function setUpSqlSession(database?: TestDatabase): Promise<SqlSession> {
  const session = await openSqlSession(database);
  afterAll(() => session.close());
  return session;
}

/** Opens a session of a database, or of a new migrated one that is deleted on close. */
export async function openSqlSession(database?: TestDatabase): Promise<SqlSession> {
  const url = database?.url ?? (await copyDatabase());
  const { driver } = createPostgresConnection({
    url,
    postgresOptions: { max: 1, onnotice: () => undefined, types: jsonTypes },
  });
  const sql: SqlSession["sql"] = async <Row>(query: string, parameters: unknown[] = []) => [
    ...((await driver.unsafe(query, parameters as never[])) as unknown as Row[]),
  ];
  return {
    url,
    sql,
    undone: async (run) => {
      await sql("begin");
      try {
        return await run();
      } finally {
        await sql("rollback");
      }
    },
    close: async () => {
      await driver.end();
      if (!database) await dropDatabase(inject("postgres"), new URL(url).pathname.slice(1));
    },
  };
}
