import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { exitWithUsageError, logProgress, readArguments, runScript } from "./cli.ts";

const node = [process.execPath, "--disable-warning=ExperimentalWarning"];
const steps: Record<string, string[]> = {
  format: ["biome", "check", "."],
  imports: [...node, "scripts/check-imports.ts"],
  words: [...node, "scripts/check-words.ts"],
  types: ["tsc", "--noEmit"],
  functions: ["deno", "check", ...globSync("supabase/functions/*/index.ts"), "scripts/local-stack/serve-functions.ts"],
  unused: ["knip"],
  schema: [...node, "scripts/schema.ts"],
};

const usage = `npm run check [-- STEP…]

Runs all checks, or those named: ${Object.keys(steps).join(", ")}. Stops at the first that fails.
\`npm run format\` fixes formatting and whatever else can be fixed automatically.`;
const { positionals } = readArguments(usage, { allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(steps, name));
if (unknown.length > 0) exitWithUsageError(usage, `There is no check named ${unknown.join(", ")}`);

await runScript(async () => {
  for (const [name, [command = "", ...args]] of Object.entries(steps)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    logProgress(`Checking ${name}`);
    const { status } = spawnSync(command, args, { stdio: "inherit" });
    if (status !== 0) process.exit(1);
  }
});
