import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

// Read by names that a request chooses, within a list of patterns (lib/voters/search-profile.ts).
const byName = ["URL", "API_EMAIL", "API_PASSWORD", "FIELDS"].map((name) => `SEARCHSVC_${name}_SEARCH`);

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test(".env.example names exactly the variables that lib/env.ts reads, each with a comment", () => {
  const inCode = read("lib/env.ts").match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [];
  const used = new Set([...inCode.filter((name) => name !== "NODE_ENV"), ...byName]);
  const blocks = read(".env.example").trim().split("\n\n");
  const named = blocks.map((block) => /^(?:# .+\n)+([A-Z0-9_]+)=.*$/.exec(block)?.[1]);
  expect(new Set(named)).toEqual(used);
  expect(named).toHaveLength(used.size);
});
