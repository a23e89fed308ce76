import { PGlite } from "@electric-sql/pglite";
import { fuzzystrmatch } from "@electric-sql/pglite/contrib/fuzzystrmatch";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { unaccent } from "@electric-sql/pglite/contrib/unaccent";
import { supabaseImage } from "./supabase-image.ts";

const extensions = { fuzzystrmatch, pg_trgm, unaccent };

/** A new project on Supabase, as `supabaseImage` makes it, to build databases in. */
export async function newProject(): Promise<Blob> {
  const pglite = await PGlite.create("memory://", { extensions });
  // PGlite's own superuser has the name that stands for somebody else on Supabase, and nobody can rename herself.
  await pglite.exec(`
    create role other superuser;
    set session authorization other;
    alter role postgres rename to supabase_admin;
    set session authorization supabase_admin;
    drop role other;
  `);
  await pglite.exec(supabaseImage);
  const project = await pglite.dumpDataDir("none");
  await pglite.close();
  return project;
}

/**
 * A copy of the project in which `postgres`, who is no superuser, ran the files in their order; further SQL runs as the
 * superuser. Throws an error that names the file which failed.
 */
export async function buildDatabase(project: Blob, files: { name: string; text: string }[]): Promise<PGlite> {
  const pglite = await PGlite.create({ extensions, loadDataDir: project });
  await pglite.exec(`set session authorization postgres; set search_path = "$user", public, extensions`);
  for (const { name, text } of files) {
    await pglite.exec(text).catch((cause) => {
      throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    });
  }
  await pglite.exec("set session authorization supabase_admin; reset search_path");
  return pglite;
}
