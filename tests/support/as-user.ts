import { uuidOf } from "./access-world.ts";
import type { TestDatabase } from "./test-database.ts";

/**
 * Runs one statement with the rights and the token of a named user, as REST does, within a transaction that is open; gives
 * its rows, or the error with nothing changed.
 */
export async function asUser<Row>(
  database: TestDatabase,
  user: string,
  statement: string,
  parameters: unknown[] = [],
): Promise<{ rows: Row[]; error: null } | { rows: null; error: unknown }> {
  await database.sql("savepoint as_user");
  await database.sql("select set_config('request.jwt.claim.sub', $1, true)", [uuidOf(user)]);
  await database.sql("set local role authenticated");
  try {
    const rows = await database.sql<Row>(statement, parameters);
    await database.sql("reset role");
    return { rows, error: null };
  } catch (error) {
    await database.sql("rollback to savepoint as_user");
    return { rows: null, error };
  } finally {
    await database.sql("select set_config('request.jwt.claim.sub', '', true)");
  }
}

type Answer = { outcome: string; effects?: unknown };

/** Calls change_access, or its preview, as a named user. */
export async function changeAs(
  database: TestDatabase,
  user: string,
  change: object,
  call: "change_access" | "preview_access_change" = "change_access",
): Promise<Answer> {
  const { rows, error } = await asUser<{ answer: Answer }>(
    database,
    user,
    `select public.${call}($1::text::jsonb) as answer`,
    [JSON.stringify(change)],
  );
  const [row] = rows ?? [];
  if (!row) throw new Error(`${call} failed.`, { cause: error });
  return row.answer;
}
