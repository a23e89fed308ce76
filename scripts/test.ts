// Runs Vitest in this process: `npm test`, `npm run drill` and `npm run nightly`.
import { globSync } from "node:fs";
import { relative } from "node:path";
import { parseCLI } from "vitest/node";
import { filePattern } from "../vitest.config.ts";
import { exitWithUsageError } from "./cli.ts";

const usage = `npm test [-- FILE… OPTIONS]

Runs Vitest: \`npm test\` with the fast tests, \`npm run drill\` with the slow ones, \`npm run nightly\` with the slowest.
Each accepts Vitest's options (npx vitest --help), for example:

  npm test -- --project unit             only unit tests (or components, integration, e2e)
  npm test -- tests/unit/ids.test.ts     only this file`;

if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
  console.log(usage);
  process.exit(0);
}
process.argv.splice(2, 0, "run");
const { filter, options } = parseCLI(["vitest", ...process.argv.slice(2)]);
const files = globSync(`tests/**/*.${filePattern(options.mode)}`);
const unknownFile = filter.find(
  (text) => !files.some((file) => file.includes(relative("", text.replace(/:\d+$/, "")))),
);
if (unknownFile !== undefined)
  exitWithUsageError(usage, `This command runs no test file whose path contains ${unknownFile}`);
const projects = ["unit", "components", "integration", "e2e", "e2e-alone"];
const unknownProject = [options.project ?? []].flat().find((name) => /^[\w-]+$/.test(name) && !projects.includes(name));
if (unknownProject !== undefined) exitWithUsageError(usage, `There is no project ${unknownProject}`);
const vitest = new URL("../node_modules/vitest/vitest.mjs", import.meta.url).href;
try {
  await import(vitest);
} catch (error) {
  if (!(error instanceof Error) || error.name !== "CACError") throw error;
  exitWithUsageError(usage, error.message);
}
