// Stryker does the same for TypeScript, but it can't mutate SQL.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { z } from "zod";
import { exitWithUsageError, readArguments, runScript, UserError } from "./cli.ts";
import { chooseMutations, findMutations } from "./find-mutations.ts";

const usage = `npm run mutate [-- OPTIONS]

Makes 160 small changes to the code, one after another, and lists those that no test detects. It takes hours. You can stop
it: the next run continues with the changes that have no outcome yet. It works on this checkout, so commit your work first.

The changes and their outcomes are in .local/mutations.json. To compare two test suites, copy it without the outcomes.

  --count 160  how many changes
  --seed 1     another number chooses other changes
  --drill      try the undetected changes again, with the related drills
  --help       print this`;

const baseline = "supabase/migrations/20261101000000_baseline.sql";
const listFile = ".local/mutations.json";
/** Tests that take longer detect a change, such as an endless loop. */
const timeoutMs = 600_000;

/** `broken`: no test could run with the change. `gone`: the line no longer exists. */
const triedSchema = z.object({
  id: z.string(),
  file: z.string(),
  operator: z.string(),
  line: z.string(),
  mutated: z.string(),
  outcome: z.enum(["caught", "survived", "timed out", "broken", "gone"]).optional(),
  by: z.string().optional(),
  drill: z.boolean().optional(),
});
type Tried = z.infer<typeof triedSchema>;
type Outcome = Pick<Tried, "outcome" | "by">;

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

function chooseAll(count: number, seed: string): Tried[] {
  const { exclude } = z.object({ exclude: z.array(z.string()) }).parse(JSON.parse(read("tsconfig.json"))); // only run by Deno
  const shareByPattern = {
    "lib/**/*.{ts,tsx}": 0.5,
    "supabase/functions/**/*.ts": 0.15,
    "supabase/schemas/*.sql": 0.35,
  };
  return Object.entries(shareByPattern).flatMap(([pattern, share]) => {
    const files = globSync(pattern, { exclude: [...exclude, "supabase/functions/_shared/database.ts"] });
    const mutations = files.flatMap((file) => findMutations(file, read(file)));
    return chooseMutations(mutations, Math.round(count * share), seed);
  });
}

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** Runs Vitest until the first test fails. */
async function runTests(args: string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "signet-mutation-")); // contains the databases of interrupted tests
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user, who must be able to read it
  const report = join(folder, "report.json");
  const reporting = ["--bail", "1", "--reporter", "json", "--outputFile", report];
  const vitest = ["node_modules/vitest/vitest.mjs", ...args, "--run", ...reporting];
  const env = { ...process.env, TMPDIR: folder };
  testProcess = spawn(process.execPath, vitest, { stdio: "ignore", detached: true, env });
  const ended = once(testProcess, "exit");
  const timer = setTimeout(killTests, timeoutMs);
  const [code, signal] = await ended;
  clearTimeout(timer);
  killTests();
  const results = existsSync(report) ? reportSchema.parse(JSON.parse(read(report))).testResults : [];
  await rm(folder, { recursive: true, maxRetries: 10, retryDelay: 500 }); // a server takes seconds to end
  if (signal) return { outcome: "timed out", by: "" };
  if (code === 0) return { outcome: "survived", by: results.length > 0 ? "" : "no related test" };
  const failed = results.find(({ status }) => status === "failed");
  if (!failed) return { outcome: "broken", by: "" };
  const test = failed.assertionResults.find(({ status }) => status === "failed")?.fullName ?? "it doesn't run";
  return { outcome: "caught", by: `${relative("", failed.name)}: ${test}` };
}

async function tryMutation({ file, line, mutated }: Tried, drill: boolean): Promise<Outcome> {
  const text = existsSync(file) ? read(file) : "";
  if (text.split(`\n${line}\n`).length !== 2) return { outcome: "gone", by: "" };
  const isSql = file.endsWith(".sql");
  const projects = isSql ? ["integration"] : ["unit", "components", "integration"];
  const args = [...projects.flatMap((name) => ["--project", name]), ...(drill ? ["--mode", "drill"] : [])];
  let found: Outcome;
  try {
    replaceOnce(file, `\n${line}\n`, `\n${mutated}\n`);
    if (isSql) replaceOnce(baseline, text, read(file));
    found = await runTests([...(isSql ? [] : ["related", file]), ...args]);
  } finally {
    restore();
  }
  if (found.outcome !== "caught") return found;
  const [failing = ""] = found.by?.split(": ") ?? [];
  const { outcome } = await runTests([failing, ...args]);
  return outcome === "survived" ? found : { outcome: "broken", by: `${failing} fails without the change too` };
}

const describe = ({ file, line, mutated, operator, outcome, by }: Tried) => {
  const number = existsSync(file) ? read(file).split("\n").indexOf(line) + 1 : 0;
  return `${outcome}: ${file}:${number} (${operator})${by && ` by ${by}`}\n  - ${line.trim()}\n  + ${mutated.trim()}`;
};

await runScript(async () => {
  const { values } = readArguments(usage, {
    options: {
      count: { type: "string", default: "160" },
      seed: { type: "string", default: "1" },
      drill: { type: "boolean", default: false },
    },
  });
  if (!(Number(values.count) > 0)) exitWithUsageError(usage, "--count takes a number above 0");
  const dirty = execFileSync("git", ["status", "--porcelain", "--untracked-files=no"], { encoding: "utf8" });
  if (dirty) throw new UserError(`Commit or undo these first:\n${dirty}`);
  mkdirSync(".local", { recursive: true });
  const list = existsSync(listFile)
    ? triedSchema.array().parse(JSON.parse(read(listFile)))
    : chooseAll(Number(values.count), values.seed);
  for (const mutation of list) {
    if (values.drill ? mutation.outcome !== "survived" || mutation.drill : mutation.outcome) continue;
    Object.assign(mutation, await tryMutation(mutation, values.drill), { drill: values.drill });
    writeFileSync(listFile, JSON.stringify(list, null, 1));
    console.log(describe(mutation));
  }

  const withOutcome = (...outcomes: Tried["outcome"][]) => list.filter(({ outcome }) => outcomes.includes(outcome));
  for (const mutation of withOutcome("survived", "timed out", "broken")) console.log(describe(mutation));
  const detected = withOutcome("caught", "timed out");
  console.log(
    `The tests detected ${detected.filter(({ drill }) => !drill).length} of ${detected.length + withOutcome("survived").length} ` +
      `changes, with drills ${detected.length}; ${withOutcome("timed out").length} of these timed out. ` +
      `${withOutcome("broken").length} couldn't be tried, and ${withOutcome("gone").length} are of lines that no longer exist.`,
  );
});
