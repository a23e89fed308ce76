import { uuidOf } from "./access-world.ts";
import type { TestDatabase } from "./test-database.ts";

type Answer = { outcome: string; effects?: unknown };

/** Calls change_access, or its preview, for a named user of a world, in the open transaction. */
export async function changeAs(
  database: Pick<TestDatabase, "sql">,
  user: string,
  change: object,
  { commit = true } = {},
): Promise<Answer> {
  const [row] = await database.sql<{ answer: Answer }>(
    "select public.change_access($1, $2::text::jsonb, $3) as answer",
    [uuidOf(user), JSON.stringify(change), commit],
  );
  if (!row) throw new Error("change_access gave no answer.");
  return row.answer;
}
