import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { localePattern, profilePattern, voterIdPattern } from "@/lib/patterns";

test.each([
  ["voter_id", voterIdPattern],
  ["search_profile", profilePattern],
  ["profile", profilePattern],
  ["locale", localePattern],
])("the database checks each %s like the application", (column, { source }) => {
  const checks = globSync("supabase/schemas/*.sql").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/check \((\w+) ~ '([^']+)'\)/g)].filter(
      ([, checked]) => checked === column,
    ),
  );
  expect(checks.map(([, , pattern]) => pattern)).toEqual(Array(checks.length || 1).fill(source));
});
