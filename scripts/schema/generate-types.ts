import { generateTypescript, sortGeneratorMetadata } from "@supabase/postgrest-typegen/generation";
import { introspect } from "@supabase/postgrest-typegen/introspection";
import postgres from "postgres";

/**
 * The types of schema `public` for supabase-js, as `supabase gen types` writes them, without the helpers that follow there.
 * Any argument of a function may be null, as in PostgreSQL. It must be given even if it has a default, because supabase-js
 * accepts unknown names in addition to the required ones, so a misspelled one would compile.
 */
export async function generateTypes(url: string): Promise<string> {
  const sql = postgres(url);
  const query = async (text: string) => ({ rows: await sql.unsafe(text) });
  const metadata = await introspect({ query }, { includedSchemas: ["public"] }).finally(() => sql.end());
  const [types = ""] = (await generateTypescript(sortGeneratorMetadata(metadata))).split("\ntype DatabaseWithout");
  const made = "// Made from the database by `npm run schema -- --write`.\n";
  return made + types.replace(/\b(p_\w+)\??: ([^;\n}]*[^;\n} ])/g, "$1: $2 | null");
}
