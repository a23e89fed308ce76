import { generateTypescript, sortGeneratorMetadata } from "@supabase/postgrest-typegen/generation";
import { introspect } from "@supabase/postgrest-typegen/introspection";
import postgres from "postgres";

/** Tables that the application reads over REST; the others are read and written by functions, which check permissions. */
const readTables = [
  "access_requests",
  "audit_log",
  "campaign_team",
  "campaign_user_roles_team",
  "campaigns",
  "charts",
  "invitations",
  "lines",
  "permission_keys",
  "roles",
  "team_users",
  "teams",
];
const writtenTables = ["profiles", "team_search_profiles"];

/**
 * Generates the types of the schema `public` for supabase-js, like `supabase gen types` but without helper types. Any
 * argument of a function may be null, as in PostgreSQL. Arguments with defaults are required too: otherwise supabase-js
 * would accept misspelled ones. Code that reads or writes other tables than those listed doesn't compile.
 */
export async function generateTypes(url: string): Promise<string> {
  const sql = postgres(url);
  const query = async (text: string) => ({ rows: await sql.unsafe(text) });
  const metadata = await introspect({ query }, { includedSchemas: ["public"] }).finally(() => sql.end());
  const isUsed = (table: string) => readTables.includes(table) || writtenTables.includes(table);
  const used = {
    ...metadata,
    tables: metadata.tables.filter(({ name }) => isUsed(name)),
    relationships: metadata.relationships.filter(({ referenced_relation }) => isUsed(referenced_relation)),
  };
  const [types = ""] = (await generateTypescript(sortGeneratorMetadata(used))).split("\ntype DatabaseWithout");
  const header = "// Made from the database by `npm run schema -- --write`.\n";
  const readOnly = types.replace(/^ {6}(\w+): \{$.*?^ {6}\}$/gms, (table, name: string) =>
    writtenTables.includes(name) ? table : table.replace(/^( {8}(?:Insert|Update): )\{.*?^ {8}\}$/gms, "$1never"),
  );
  return header + readOnly.replace(/\b(p_\w+)\??: ([^;\n}]*[^;\n} ])/g, "$1: $2 | null");
}
