import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { fuzzystrmatch } from "@electric-sql/pglite/contrib/fuzzystrmatch";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import postgres from "postgres";
import { lockFile } from "../local-stack/lock-file.ts";
import { Refusal } from "../local-stack/report.ts";
import type { Target } from "./load-voters.ts";

/**
 * Opens the database at the address, or the local stack's in its folder, which is locked for this process. Throws a Refusal
 * when another one uses the folder, or no voter file is known there.
 */
export async function openTarget({
  databaseUrl,
  folder,
}: {
  databaseUrl: string | undefined;
  folder: string;
}): Promise<Target & { close(): Promise<void> }> {
  const target = databaseUrl ? onServer(databaseUrl) : await inFolder(folder);
  const [{ table } = {}] = await target.sql("select to_regclass('voterfile.names') as table");
  if (table) return target;
  await target.close();
  throw new Refusal("The database has no table for voters: bring it to the newest migration first.");
}

function onServer(url: string) {
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  return {
    sql: async (query: string) => [...(await client.unsafe(query))],
    copy: async (statement: string, text: string) => {
      const stream = await client.unsafe(`${statement} stdin`).writable();
      let refusal: Error | undefined;
      stream.once("error", (error) => {
        refusal = error;
      });
      await new Promise((written) => stream.write(text, written));
      stream.end();
      await setImmediate();
      await client.unsafe("select"); // its turn comes when the server is done; a late refusal reaches no stream
      if (refusal) throw refusal;
    },
    close: () => client.end(),
  };
}

async function inFolder(folder: string) {
  if (!existsSync(folder)) {
    throw new Refusal("There is no database. Set DATABASE_URL, or make the local one: npm run demo");
  }
  if (!lockFile(`${folder}.lock`, 0))
    throw new Refusal(`Signet is running on ${folder}. Stop it first; nothing was changed.`);
  const pglite = await PGlite.create(folder, { extensions: { fuzzystrmatch, pg_trgm, unaccent } });
  return {
    sql: async (query: string) => (await pglite.query<Record<string, unknown>>(query)).rows,
    copy: async (statement: string, text: string) => {
      await pglite.query(`${statement} '/dev/blob'`, [], { blob: new Blob([text]) });
    },
    close: () => pglite.close(),
  };
}
