import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run-bench.ts";

const file = join(root, "bench/results.md");
const title = "# What `npm run bench -- --write` measured\n\n";

/** Puts what a bench printed, under the day and the machine, in the place of its last result. */
export function writeResult(name: string, machine: string, printed: string): void {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const others = text.split(/^(?=## )/m).filter((part) => part.startsWith("## ") && !part.startsWith(`## ${name},`));
  const day = new Date().toISOString().slice(0, 10);
  const result = `## ${name}, ${day}\n\n\`\`\`\n${machine}\n\n${printed.trim()}\n\`\`\`\n\n`;
  writeFileSync(file, `${(title + [...others, result].sort().join("")).trim()}\n`);
}
