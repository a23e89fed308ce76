import { expect, test } from "vitest";
import { findWords } from "../../../scripts/check-words.ts";

test.each([
  ["lib/a.ts", 'const told = "Everybody is here"; // why', []],
  ["lib/a.ts", 'throw new Error("Read it anew.");', ['lib/a.ts:1: "anew": write again, new']],
  ["lib/a.ts", "call(her); // as she wants", ['lib/a.ts:1: "she": write they, their']],
  ["supabase/a.sql", "select 1;\n-- what is away", ['supabase/a.sql:2: "is away": write unreachable']],
  [
    "app/a.tsx",
    "  Pace: {count} by now\n  and anew",
    ['app/a.tsx:1: "by now": write drop it, or say when', 'app/a.tsx:2: "anew": write again, new'],
  ],
  ["docs/a.md", "An e-mail.", ['docs/a.md:1: "e-mail": write email']],
])("%s: %s", (path, text, sentences) => expect(findWords(path, text)).toEqual(sentences));
