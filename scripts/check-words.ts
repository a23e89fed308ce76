import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { exitWithUsageError, readArguments } from "./cli.ts";

const usage = `npm run words [-- PATH…]

Lists discouraged words in strings, comments and documents, each with a better one: in the given paths (\`.\` is everything),
otherwise in those that \`npm run check\` covers.`;

const checkedPaths = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "docs",
  "bench",
  "harness",
  "scripts",
  "app",
  "components",
  "lib",
  "supabase",
  "tests",
];

// Each discouraged word, and what to write instead.
const betterWords: [RegExp, string][] = [
  [/\banew\b/, "again, new"],
  [/\bstands?\b(?= (in|on|under|there|here|beside|for)\b)|\bstood\b/, "is, appears"],
  [/\bmeanwhile\b/, "drop it, or say when"],
  [/\bby now\b/, "drop it, or say when"],
  [/\b(she|her|hers|herself)\b/, "they, their"],
  [/\be-mails?\b/, "email"],
  [/\bkey(ing)? (in )?(sheets?|lines?|signatures?)\b|\bkeyed\b/, "enter, entered"],
  [/\bmends?\b|\bmended\b/, "fix"],
  [/(?<!early to )\btells?\b(?! (you|me|the|us)\b)|\btold\b(?! apart)/, "show, say, report"],
  [/, else\b|(?<!thing|one|what|where) else[.;]/, "otherwise"],
  [/\bby (itself|himself|themselves)\b/, "alone, separately"],
  [/\bof (one's|their|its|your|his) own\b(?! [a-z])/, "custom, own"],
  [/\bbeside\b/, "next to, with"],
  [/\bwhoever\b/, "anyone who"],
  [/\bwhom\b/, "who, or the noun"],
  [/(?<![`"])\b(any|no|some)body\b/, "anyone, no one, someone"],
  [/\bis away\b|\bwhile away\b/, "unreachable"],
  [/\bpatience\b/, "timeout"],
  [/\bsight\b/, "context"],
  [/\bmay stay empty\b/, "optional"],
  [/\bas it looks\b/, "on track, behind, at risk"],
  [/\bbundles?\b/, "permission set"],
  [/\bwhat is on paper\b|\bon paper is worth\b/, "sheets"],
];

// Strings, comments and JSX text of a line of code.
const spokenPattern =
  /"[^"]*"|'[^']*'|`[^`]*`|\/\/ .*|^\s*\/?\*.*|--\s.*|[>}][^<>{}=;()]+(?=[<{]|$)|^\s+[A-Z][^={}();]*|^\s+[a-z]\S* [^={}();<>]*$/g;

/** The discouraged words of a text, as `path:line: "word": write …`. In documents, inline code is skipped. */
export function findWords(path: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const parts = path.endsWith(".md") ? [line.replaceAll(/`[^`]*`/g, "")] : (line.match(spokenPattern) ?? []);
    return betterWords.flatMap(([word, replacement]) => {
      const match = parts.map((part) => new RegExp(word, "i").exec(part)?.[0]).find(Boolean);
      return match ? [`${path}:${index + 1}: "${match}": write ${replacement}`] : [];
    });
  });
}

if (import.meta.main) {
  const { positionals } = readArguments(usage, { allowPositionals: true });
  const missing = positionals.filter((path) => !existsSync(path));
  if (missing.length > 0) exitWithUsageError(usage, `There is no file ${missing.join(", ")}`);
  const paths = positionals.length > 0 ? positionals : checkedPaths;
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...paths], { encoding: "utf8" });
  const exceptions = /^(scripts\/check-words\.ts|.*\/read-invitees(\.test)?\.ts|tests\/unit\/scripts\/.*)$/;
  const matches = listed
    .split("\n")
    .filter((path) => /\.(tsx?|mjs|sql|md|html)$/.test(path) && !exceptions.test(path))
    .flatMap((path) => findWords(path, readFileSync(path, "utf8")));
  for (const sentence of matches) console.error(sentence);
  console.log(matches.length === 0 ? "No discouraged words." : `Discouraged words: ${matches.length}.`);
  process.exitCode = matches.length === 0 ? 0 : 1;
}
