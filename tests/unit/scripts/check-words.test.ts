import { expect, test } from "vitest";
import { findWords } from "../../../scripts/check-words.ts";

test.each([
  ["lib/a.ts", 'const told = "Everybody is here"; // why', []],
  ["lib/a.ts", 'throw new Error("Read it anew.");', ['lib/a.ts:1: "anew": write again, new']],
  ["lib/a.ts", "call(her); // as she wants", ['lib/a.ts:1: "she": write they, their']],
  ["supabase/a.sql", "select 1;\n-- what is away", ['supabase/a.sql:2: "is away": write unreachable']],
  ["docs/a.md", "An e-mail.", ['docs/a.md:1: "e-mail": write email']],
])("%s: %s", (path, text, sentences) => expect(findWords(path, text)).toEqual(sentences));
