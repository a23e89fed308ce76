import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// What Next.js reads from each page, and what each edge function has.
const shared = ["dynamic", "generateMetadata", "metadata", "handle", "Dependencies"];

test("no two exports share a name, except an action and the function that it calls", () => {
  const paths = globSync("{app,components,lib,supabase/functions}/**/*.{ts,tsx}").filter(
    (path) => !path.endsWith("_shared/database.ts") && !path.endsWith("/actions.ts"),
  );
  const exported = paths.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^export (?:async )?(?:function|const|class|type) (\w+)/gm)].map(
      ([, name = ""]) => ({ name, path }),
    ),
  );
  expect(exported.length).toBeGreaterThan(400);
  const files = new Map(
    [...Map.groupBy(exported, ({ name }) => name)].map(([name, all]) => [name, new Set(all.map(({ path }) => path))]),
  );
  expect([...files].filter(([name, { size }]) => size > 1 && !shared.includes(name))).toEqual([]);
});

test("a place is { team, campaign }", () => {
  const paths = globSync("{app,components,lib,scripts,supabase/functions}/**/*.{ts,tsx}");
  const others = paths.filter((path) =>
    /\{[^{}]*\bteamId\b[^{}]*\bcampaignId\b[^{}]*\}/.test(readFileSync(path, "utf8")),
  );
  expect(others).toEqual([]);
});

test("only lib/format names a locale or uses Intl", () => {
  const files = globSync("{app,components,lib}/**/*.{ts,tsx}");
  const matches = files.filter((path) => /toLocale|Intl\.|en-GB|en-US|sv-SE/.test(readFileSync(path, "utf8")));
  expect(matches.filter((path) => !path.startsWith("lib/format/"))).toEqual([]);
  expect(matches).toContain("lib/format/format-of.ts");
});
