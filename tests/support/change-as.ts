import { uuidOf } from "./access-world.ts";
import type { TestDatabase } from "./test-database.ts";

type Answer = { outcome: string; effects?: unknown };

/** Calls change_access, or its preview, for a named user of a world, in the open transaction. */
export async function changeAs(
  database: Pick<TestDatabase, "sql">,
  user: string,
  change: object,
  call: "change_access" | "preview_access_change" = "change_access",
): Promise<Answer> {
  const [row] = await database.sql<{ answer: Answer }>(`select public.${call}($1, $2::text::jsonb) as answer`, [
    uuidOf(user),
    JSON.stringify(change),
  ]);
  if (!row) throw new Error(`${call} gave no answer.`);
  return row.answer;
}
