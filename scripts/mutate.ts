// Stryker does the same for TypeScript, but it can't mutate SQL.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { exitWithUsageError, readArguments, runScript, UserError } from "./cli.ts";
import { chooseMutations, findMutations, type Mutation } from "./mutate/find-mutations.ts";
import { findTestsOfSql } from "./mutate/find-tests-of-sql.ts";

const usage = `npm run mutate [-- OPTIONS]

Makes 160 small changes to the code, one after another, and lists those that no test detects. It takes hours. You can stop
it: the next run continues with the changes that have no result yet. It works on this checkout, so commit your work first.

  --count 160      how many changes
  --seed 1         another number chooses other changes
  --list FILE      the chosen changes (.local/mutations.json); use the same list to compare two test suites
  --results FILE   the results so far (.local/mutations.jsonl)
  --drill          try the undetected changes again, with the related drills
  --only TEXT      only changes in files whose path contains TEXT
  --minutes 10     stop tests that take longer
  --help           print this`;

const options = {
  count: { type: "string", default: "160" },
  seed: { type: "string", default: "1" },
  list: { type: "string", default: ".local/mutations.json" },
  results: { type: "string", default: ".local/mutations.jsonl" },
  minutes: { type: "string", default: "10" },
  drill: { type: "boolean", default: false },
  only: { type: "string", default: "" },
} as const;

const baseline = "supabase/migrations/20261101000000_baseline.sql";
const listSchema = z.array(
  z.object({ id: z.string(), file: z.string(), operator: z.string(), line: z.string(), mutated: z.string() }),
);
/** `broken`: no test could run with the change. `gone`: the line no longer exists. */
const resultSchema = z.object({
  id: z.string(),
  outcome: z.enum(["caught", "survived", "timed out", "broken", "gone"]),
  by: z.string(),
  drill: z.boolean(),
  seconds: z.number(),
});
type Result = z.infer<typeof resultSchema>;
const testOutcomeSchema = resultSchema.pick({ outcome: true, by: true });
type TestOutcome = z.infer<typeof testOutcomeSchema>;

const read = (file: string) => readFileSync(file, "utf8");
const originals = new Map<string, string>();
let testProcess: ChildProcess | undefined;

/** Kills the whole process group of the tests, so the processes that they started end too. */
function killTests() {
  try {
    if (testProcess?.pid) process.kill(-testProcess.pid, "SIGKILL");
  } catch {} // it has ended
}

function restore() {
  for (const [file, text] of originals) writeFileSync(file, text);
  originals.clear();
}

function replaceOnce(file: string, from: string, to: string) {
  const text = read(file);
  if (text.split(from).length !== 2) throw new UserError(`${file} should have this once:\n${from.slice(0, 200)}`);
  originals.set(file, text);
  writeFileSync(
    file,
    text.replace(from, () => to),
  );
}

process.on("exit", () => {
  restore();
  killTests();
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));

function makeList(count: number, seed: string) {
  const { exclude } = z.object({ exclude: z.array(z.string()) }).parse(JSON.parse(read("tsconfig.json"))); // only run by Deno
  const shareByPattern = {
    "lib/**/*.{ts,tsx}": 0.5,
    "supabase/functions/**/*.ts": 0.15,
    "supabase/schemas/*.sql": 0.35,
  };
  return Object.entries(shareByPattern).flatMap(([pattern, share]) => {
    const files = globSync(pattern, { exclude: [...exclude, "supabase/functions/_shared/database.ts"] });
    return chooseMutations(
      files.flatMap((file) => findMutations(file, read(file))),
      Math.round(count * share),
      seed,
    );
  });
}

async function runTests(files: string[], { minutes, args }: { minutes: number; args: string[] }): Promise<TestOutcome> {
  const folder = mkdtempSync(join(tmpdir(), "signet-mutation-")); // contains the databases of interrupted tests
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user, who must be able to read it
  const found = join(folder, "found.json");
  const reporter = join(import.meta.dirname, "mutate/first-failure.ts");
  const vitest = ["node_modules/vitest/vitest.mjs", "related", "--run", ...files, ...args, "--reporter", reporter];
  const env = { ...process.env, TMPDIR: folder, FIRST_FAILURE: found };
  testProcess = spawn(process.execPath, vitest, { stdio: "ignore", detached: true, env });
  const ended = once(testProcess, "exit");
  const timer = setTimeout(killTests, minutes * 60_000);
  const [, signal] = await ended;
  clearTimeout(timer);
  killTests();
  const outcome = existsSync(found) ? testOutcomeSchema.parse(JSON.parse(read(found))) : undefined;
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 500 }); // a server takes seconds to end
  return outcome ?? { outcome: signal ? "timed out" : "broken", by: "" };
}

/** Test files that passed, or failed, without any mutation. */
const [passingTests, failingTests] = [new Set<string>(), new Set<string>()];

async function tryMutation(mutation: Mutation, drill: boolean, minutes: number): Promise<TestOutcome> {
  const projects = mutation.file.endsWith(".sql") ? ["integration"] : ["unit", "components", "integration"];
  const args = [...projects.flatMap((name) => ["--project", name]), ...(drill ? ["--mode", "drill"] : [])];
  for (;;) {
    const without = [...failingTests].flatMap((file) => ["--exclude", file]);
    const found = await testMutated(mutation, { minutes, args: [...args, ...without] });
    const [file = ""] = found.by.split(": ");
    if (found.outcome !== "caught" || passingTests.has(file)) return found;
    const unmutated = await runTests([file], { minutes, args: [...args, ...without] });
    if (unmutated.outcome === "survived") {
      passingTests.add(file);
      return found;
    }
    if (failingTests.has(file)) return { outcome: "broken", by: found.by };
    failingTests.add(file);
    console.log(`Skipped, because it also fails without the change: ${file}`);
  }
}

async function testMutated(
  { file, line, mutated }: Mutation,
  run: { minutes: number; args: string[] },
): Promise<TestOutcome> {
  const text = existsSync(file) ? read(file) : "";
  if (text.split(`\n${line}\n`).length !== 2) return { outcome: "gone", by: "" };
  const isSql = file.endsWith(".sql");
  const rounds = isSql ? findTestsOfSql(file, line) : [[file]];
  try {
    replaceOnce(file, `\n${line}\n`, `\n${mutated}\n`);
    if (isSql) replaceOnce(baseline, text, read(file));
    for (const files of rounds) {
      const found = await runTests(files, run);
      if (found.outcome !== "survived" || files === rounds.at(-1)) return found;
    }
    return { outcome: "survived", by: "no related test" };
  } finally {
    restore();
  }
}

await runScript(async () => {
  const { values } = readArguments(usage, { options });
  for (const name of ["count", "minutes"] as const) {
    if (!(Number(values[name]) > 0)) exitWithUsageError(usage, `--${name} takes a number above 0`);
  }
  const dirty = execFileSync("git", ["status", "--porcelain", "--untracked-files=no"], { encoding: "utf8" });
  if (dirty) throw new UserError(`Commit or undo these first:\n${dirty}`);
  for (const file of [values.list, values.results]) mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(values.list))
    writeFileSync(values.list, JSON.stringify(makeList(Number(values.count), values.seed), null, 1));
  const list = listSchema.parse(JSON.parse(read(values.list))).filter(({ file }) => file.includes(values.only));
  const resultLines = existsSync(values.results) ? read(values.results).trim().split("\n").filter(Boolean) : [];
  const results = new Map(
    resultLines.map((line) => resultSchema.parse(JSON.parse(line))).map((result) => [result.id, result]),
  );

  const describe = ({ file, line, mutated, operator }: Mutation, { outcome, by }: Result) => {
    const number = existsSync(file) ? read(file).split("\n").indexOf(line) + 1 : 0;
    return `${outcome}: ${file}:${number} (${operator})${by && ` by ${by}`}\n  - ${line.trim()}\n  + ${mutated.trim()}`;
  };
  for (const mutation of list) {
    const previous = results.get(mutation.id);
    if (values.drill ? previous?.outcome !== "survived" || previous.drill : previous) continue;
    const startedAt = Date.now();
    const found = await tryMutation(mutation, values.drill, Number(values.minutes));
    const result = {
      id: mutation.id,
      ...found,
      drill: values.drill,
      seconds: Math.round((Date.now() - startedAt) / 1000),
    };
    appendFileSync(values.results, `${JSON.stringify(result)}\n`);
    results.set(mutation.id, result);
    console.log(`${result.seconds} s  ${describe(mutation, result)}`);
  }
  const tried = list.flatMap((mutation) => {
    const result = results.get(mutation.id);
    return result ? [{ mutation, result }] : [];
  });
  const withOutcome = (...outcomes: string[]) => tried.filter(({ result }) => outcomes.includes(result.outcome));
  for (const { mutation, result } of withOutcome("survived", "timed out", "broken"))
    console.log(describe(mutation, result));
  const detected = withOutcome("caught", "timed out");
  const triedCount = detected.length + withOutcome("survived").length;
  const countAndShare = (results: unknown[]) =>
    `${results.length} (${triedCount ? Math.round((100 * results.length) / triedCount) : 0} %)`;
  console.log(
    `The tests detected ${countAndShare(detected.filter(({ result }) => !result.drill))} of ${triedCount} changes, with drills ` +
      `${countAndShare(detected)}; ${withOutcome("timed out").length} of these timed out. ${withOutcome("broken").length} couldn't be tried, and ` +
      `${withOutcome("gone").length} are of lines that no longer exist.`,
  );
});
