import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import postgres from "postgres";
import { UserError } from "../cli.ts";
import { localFolder, lockLocalFolder } from "../local-stack/local-folder.ts";
import { startLocalPostgres } from "../local-stack/start-stack.ts";

/** One connection to the database that the voter file is loaded into. */
export type Target = {
  sql(query: string): Promise<Record<string, unknown>[]>;
  /** Runs a `copy … from stdin`. It may not report an error that the server only finds at the end. */
  copy(statement: string, text: string): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the database at the URL, otherwise the local stack's, which then runs until it is closed. Throws a UserError if the
 * stack is running, or if the database has no table for voters.
 */
export async function openTarget(databaseUrl: string | undefined): Promise<Target> {
  const server = databaseUrl ? undefined : await startLocal();
  const client = postgres(databaseUrl ?? server?.url ?? "", { max: 1, onnotice: () => undefined });
  const target: Target = {
    sql: async (query) => [...(await client.unsafe(query))],
    copy: async (statement, text) => {
      const stream = await client.unsafe(statement).writable();
      let refusal: Error | undefined;
      stream.once("error", (error) => {
        refusal = error;
      });
      await new Promise((resolve) => stream.write(text, resolve));
      stream.end();
      await setImmediate();
      await client.unsafe("select"); // runs when the server is done; a late error doesn't reach the stream
      if (refusal) throw refusal;
    },
    close: async () => {
      await client.end();
      await server?.stop();
    },
  };
  const [{ table } = {}] = await target.sql("select to_regclass('voterfile.names') as table");
  if (table) return target;
  await target.close();
  throw new UserError("The database has no table for voters: bring it to the newest migration first.");
}

async function startLocal() {
  if (!existsSync(join(localFolder, "postgres"))) {
    throw new UserError("There is no database. Set DATABASE_URL, or make the local one: npm run demo");
  }
  lockLocalFolder({ reset: false });
  return startLocalPostgres();
}
