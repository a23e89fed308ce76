import type { TestDatabase } from "./test-database.ts";

/** Calls a function of `public` as REST does: as the service role, with objects as jsonb. */
export async function callFunction(database: Pick<TestDatabase, "sql">, name: string, args: unknown[]) {
  await database.sql("set local role service_role");
  const values = args.map((value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : value));
  const placeholders = args.map(
    (value, index) => `$${index + 1}${typeof value === "object" && value ? "::text::jsonb" : ""}`,
  );
  const [row] = await database.sql<{ answer: unknown }>(`select public.${name}(${placeholders}) as answer`, values);
  await database.sql("reset role");
  return row?.answer;
}
