import type { PGlite } from "@electric-sql/pglite";
import { generateTypescript, sortGeneratorMetadata } from "@supabase/postgrest-typegen/generation";
import { introspect } from "@supabase/postgrest-typegen/introspection";

/**
 * The types of schema `public` for supabase-js, as `supabase gen types` writes them, without the helpers that follow there.
 * An argument of a function may be null, as PostgreSQL lets each be; and it must be given even when it has a default, as
 * supabase-js takes any other name beside those that it needs: a misspelt one would pass.
 */
export async function generateTypes(database: PGlite): Promise<string> {
  const metadata = await introspect({ query: (sql) => database.query(sql) }, { includedSchemas: ["public"] });
  const [types = ""] = (await generateTypescript(sortGeneratorMetadata(metadata))).split("\ntype DatabaseWithout");
  const made = "// Made from the database by `npm run schema -- --write`.\n";
  return made + types.replace(/\b(p_\w+)\??: ([^;\n}]*[^;\n} ])/g, "$1: $2 | null");
}
