// npm run bench: all benches, or those named: `npm run bench -- snapshot`. They print ratios and assert no times.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const known = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".ts") && name !== "run.ts")
  .map((name) => name.slice(0, -".ts".length));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench named ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
  process.exit(1);
}

for (const name of named.length > 0 ? named : known) {
  const file = join(import.meta.dirname, `${name}.ts`);
  const { status } = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", file], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
