import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The values of the stack that runs on this folder, by name. Throws when none runs there. */
export function readEnv(folder: string): Record<string, string> {
  const lines = readFileSync(join(folder, "env"), "utf8").trim().split("\n");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}
