import { generateTypescript, sortGeneratorMetadata } from "@supabase/postgrest-typegen/generation";
import { introspect } from "@supabase/postgrest-typegen/introspection";
import postgres from "postgres";

/** Written through REST. Other tables are written by functions, which check permissions. */
const writtenTables = ["profiles", "team_search_profiles"];

/**
 * Generates the types of the schema `public` for supabase-js, like `supabase gen types` but without helper types. Any
 * argument of a function may be null, as in PostgreSQL. Arguments with defaults are required too: otherwise supabase-js
 * would accept misspelled ones. Code that writes another table than `writtenTables` doesn't compile.
 */
export async function generateTypes(url: string): Promise<string> {
  const sql = postgres(url);
  const query = async (text: string) => ({ rows: await sql.unsafe(text) });
  const metadata = await introspect({ query }, { includedSchemas: ["public"] }).finally(() => sql.end());
  const [types = ""] = (await generateTypescript(sortGeneratorMetadata(metadata))).split("\ntype DatabaseWithout");
  const header = "// Made from the database by `npm run schema -- --write`.\n";
  const readOnly = types.replace(/^ {6}(\w+): \{$.*?^ {6}\}$/gms, (table, name: string) =>
    writtenTables.includes(name) ? table : table.replace(/^( {8}(?:Insert|Update): )\{.*?^ {8}\}$/gms, "$1never"),
  );
  return header + readOnly.replace(/\b(p_\w+)\??: ([^;\n}]*[^;\n} ])/g, "$1: $2 | null");
}
