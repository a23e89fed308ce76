import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { openTestDatabase } from "../../support/test-database.ts";

const words = (text: string) => text.trim().split(/\s+/);

test("the statement in the comment of 150_chart_queries.sql is what its definition becomes, and it runs", async () => {
  const file = readFileSync("supabase/schemas/150_chart_queries.sql", "utf8");
  const comment = file.slice(0, file.indexOf("create "));
  const [definition = "", statement = ""] = [
    ...comment.matchAll(/(?:^-- {3}.*\n)+(?=--\n)(?:--\n(?:-- {3}.*\n)+)*/gm),
  ].map(([block]) => block.replaceAll(/^--/gm, ""));
  const { source, groupBy } = z.object({ source: z.string(), groupBy: z.string() }).parse(JSON.parse(definition));
  const database = await openTestDatabase();
  try {
    const [built] = await database.sql<{ text: string }>(
      "select private.chart_statement($1, 'lakes', $2, $3::text::jsonb) as text",
      [source, groupBy, definition],
    );
    expect(words(statement)).toEqual(words(built?.text ?? ""));
    await database.sql(`prepare example (text, text, jsonb) as ${statement}`);
    const rows = await database.sql(`execute example ('north', 'lakes', '${definition}')`);
    expect(rows).toEqual([{ rows: [], records: 0, groups: 0 }]);
  } finally {
    await database.close();
  }
});
