import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

// Read by names that a request chooses from a list of patterns (lib/voters/search-profile.ts).
const byName = ["URL", "API_EMAIL", "API_PASSWORD", "FIELDS"].map((name) => `SEARCHSVC_${name}_SEARCH`);

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);

test(".env.example names exactly the variables that the application, its build and its server read, each with a comment", () => {
  const used = new Set([
    ...named(read("lib/env.ts"), /\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g),
    ...named(read("next.config.ts"), /process\.env\.(\w+)/g),
    // What Next.js itself reads, as the image is built and run.
    ...named(read("Dockerfile"), /\b([A-Z]\w+)=\S/g),
    ...named(read("Dockerfile"), /^ARG (\w+)/gm),
    ...named(read("Dockerfile"), /\benv=(\w+)/g),
    ...byName,
  ]);
  used.delete("NODE_ENV");
  const blocks = read(".env.example").trim().split("\n\n");
  const inExample = blocks.map((block) => /^(?:# .+\n)+([A-Z0-9_]+)=.*$/.exec(block)?.[1]);
  expect(inExample.toSorted()).toEqual([...used].toSorted());
});
