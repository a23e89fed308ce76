import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atEnd, runBench, stopChild } from "../harness/run-bench.ts";
import { startedStack } from "../harness/started-stack.ts";
import { exitWithUsageError, readArguments, UserError } from "../scripts/cli.ts";
import { describeMachine } from "./support/machine.ts";
import { withResult } from "./support/with-result.ts";

const resultsFile = join(import.meta.dirname, "results.md");
const benchmarks = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".ts") && name !== "run.ts")
  .map((name) => name.slice(0, -".ts".length));

const usage = `npm run bench [-- NAME… --small --write]

Runs all benchmarks, or those named: ${benchmarks.join(", ")}.
They print times, and factors between times of one run.

  --small  use little data, only to check that the benchmarks run
  --write  save what they print in bench/results.md
  --help   print this`;
const { values: options, positionals: requested } = readArguments(usage, {
  allowPositionals: true,
  options: { small: { type: "boolean" }, write: { type: "boolean" } },
});
const unknown = requested.filter((name) => !benchmarks.includes(name));
if (unknown.length > 0) exitWithUsageError(usage, `There is no benchmark named ${unknown.join(", ")}`);
if (options.write && options.small)
  exitWithUsageError(usage, "--small measures nothing worth saving: leave out --write");

await runBench(async () => {
  const machine = describeMachine();
  console.log(machine);
  const env = {
    ...process.env,
    ...(options.small && { BENCH_SMALL: "1", BENCH_STACK: JSON.stringify(await startedStack()) }),
  };
  const failed: string[] = [];
  for (const name of requested.length > 0 ? requested : benchmarks) {
    console.log(`\n── ${name} ──`);
    const { code, printed } = await runBenchmark(name, env);
    if (code !== 0) failed.push(name);
    else if (options.write) {
      const previousResults = existsSync(resultsFile) ? readFileSync(resultsFile, "utf8") : "";
      const day = new Date().toISOString().slice(0, 10);
      writeFileSync(resultsFile, withResult(previousResults, { name, day, machine, printed }));
    }
  }
  if (failed.length > 0) throw new UserError(`Failed: ${failed.join(", ")}.`);
});

async function runBenchmark(name: string, env: NodeJS.ProcessEnv) {
  const file = join(import.meta.dirname, `${name}.ts`);
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", file], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  atEnd(() => stopChild(child));
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    process.stdout.write(chunk);
    printed += chunk;
  });
  const [code] = await once(child, "close");
  return { code, printed };
}
