import postgres from "postgres";
import { createDatabase, type PostgresServer } from "../local-stack/postgres-server.ts";
import { supabaseImage } from "./supabase-image.ts";

const connect = (url: string) => postgres(url, { max: 1, onnotice: () => undefined });

/** Creates the database `project` of a server, to copy: a new Supabase project by `supabaseImage`. Works once on a server. */
export async function newProject(server: PostgresServer): Promise<void> {
  const sql = connect(await createDatabase(server.url, "project"));
  await sql.unsafe(supabaseImage).finally(() => sql.end());
}

/**
 * The address of a new database of the server: a copy of the project in which `postgres`, who isn't a superuser, ran the files
 * in order. Throws an error that names the file that failed.
 */
export async function buildDatabase(
  server: PostgresServer,
  name: string,
  files: { name: string; text: string }[],
): Promise<string> {
  const url = await createDatabase(server.url, name, "project");
  const sql = connect(url);
  try {
    await sql.unsafe(`
      alter database ${name} owner to postgres; -- a copy belongs to its creator
      set session authorization postgres;
      set search_path = "$user", public, extensions`);
    for (const file of files) {
      await sql.unsafe(file.text).catch((cause) => {
        throw new Error(`${file.name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      });
    }
  } finally {
    await sql.end();
  }
  return url;
}
