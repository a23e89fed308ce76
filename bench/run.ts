// npm run bench: all benches, or those named: `npm run bench -- snapshot`. They print ratios and assert no times.
// `--small` is a run with little data that shows only that everything works; `--write` keeps what they print in results.md.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Refusal } from "../scripts/local-stack/report.ts";
import { describeMachine } from "./support/machine.ts";
import { atEnd, runBench } from "./support/run-bench.ts";
import { startedStack } from "./support/started-stack.ts";
import { stopChild } from "./support/stop-child.ts";
import { withResult } from "./support/with-result.ts";

const results = join(import.meta.dirname, "results.md");
const { values: asked, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { small: { type: "boolean" }, write: { type: "boolean" } },
});

await runBench(async () => {
  const known = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".ts") && name !== "run.ts")
    .map((name) => name.slice(0, -".ts".length));
  const unknown = named.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Refusal(`There is no bench named ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
  if (asked.write && asked.small) throw new Refusal("A small size measures nothing that is worth keeping.");

  const machine = describeMachine();
  console.log(machine);
  const env = {
    ...process.env,
    ...(asked.small && { BENCH_SMALL: "1", BENCH_STACK: JSON.stringify(await startedStack()) }),
  };
  const failed: string[] = [];
  for (const name of named.length > 0 ? named : known) {
    console.log(`\n── ${name} ──`);
    const { code, printed } = await runOne(name, env);
    if (code !== 0) failed.push(name);
    else if (asked.write) {
      const before = existsSync(results) ? readFileSync(results, "utf8") : "";
      const day = new Date().toISOString().slice(0, 10);
      writeFileSync(results, withResult(before, { name, day, machine, printed }));
    }
  }
  if (failed.length > 0) throw new Refusal(`Failed: ${failed.join(", ")}.`);
});

async function runOne(name: string, env: NodeJS.ProcessEnv) {
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
