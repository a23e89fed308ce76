import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const namesLocale = /toLocale|Intl\.|en-GB|en-US|sv-SE/;

test("lib/format alone names a locale or asks Intl: everything else writes as the team does", () => {
  const files = globSync("{app,components,lib}/**/*.{ts,tsx}");
  const found = files.filter((path) => namesLocale.test(readFileSync(path, "utf8")));
  expect(found.filter((path) => !path.startsWith("lib/format/"))).toEqual([]);
  expect(found.toSorted()).toContain("lib/format/format-of.ts");
});
