import { generateTypescript, sortGeneratorMetadata } from "@supabase/postgrest-typegen/generation";
import { introspect } from "@supabase/postgrest-typegen/introspection";
import postgres from "postgres";

/**
 * Generates the types of the schema `public` for supabase-js, like `supabase gen types` but without helper types. Any
 * argument of a function may be null, as in PostgreSQL. Arguments with defaults are required too: otherwise supabase-js
 * would accept misspelled ones. A table's `Update` is its `Insert` with every column optional.
 */
export async function generateTypes(url: string): Promise<string> {
  const sql = postgres(url);
  const query = async (text: string) => ({ rows: await sql.unsafe(text) });
  const metadata = await introspect({ query }, { includedSchemas: ["public"] }).finally(() => sql.end());
  const [types = ""] = (await generateTypescript(sortGeneratorMetadata(metadata))).split("\ntype DatabaseWithout");
  const header = "// Made from the database by `npm run schema -- --write`.\n";
  const derived = types.replace(
    /^ {6}(\w+): \{$(.*?)^ {8}Update: \{.*?^ {8}\}$/gms,
    '      $1: {$2        Update: Partial<Database["public"]["Tables"]["$1"]["Insert"]>',
  );
  return header + derived.replace(/\b(p_\w+)\??: ([^;\n}]*[^;\n} ])/g, "$1: $2 | null");
}
