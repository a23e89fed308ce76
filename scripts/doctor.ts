import { styleText } from "node:util";
import { withTimeout } from "../lib/supabase/with-timeout.ts";
import { readArguments, runScript } from "./cli.ts";
import { checkProjectSettings } from "./doctor/check-project-settings.ts";
import { checkRedis } from "./doctor/check-redis.ts";
import { checkSchedule } from "./doctor/check-schedule.ts";
import { checkSearch } from "./doctor/check-search.ts";
import { checkCounts, checkFunctions, checkMigrations, checkSupabase } from "./doctor/check-supabase.ts";
import { checkVariables } from "./doctor/check-variables.ts";
import { type Check, type Finding, failureReason, NotChecked, notChecked, wrong } from "./doctor/finding.ts";
import { loadSettings } from "./local-stack/local-folder.ts";

readArguments(
  `npm run doctor

Checks the environment in .env, or the local stack if there is none. Prints what is wrong and how to fix it, and ends with
code 1 if anything is wrong. It changes nothing.`,
  {},
);

const timeoutMs = 4_500; // leaves a check half a second to report what hangs

const checks: Record<string, Check> = {
  Variables: checkVariables,
  Supabase: checkSupabase,
  Migrations: checkMigrations,
  Counts: checkCounts,
  "Edge functions": checkFunctions,
  Schedule: checkSchedule,
  Redis: checkRedis,
  "Voter search": checkSearch,
  "Project settings": checkProjectSettings,
};

await runScript(async () => {
  console.log(
    `Settings: ${loadSettings() ?? "environment variables only (no .env, and no local stack is running: npm run demo)"}\n`,
  );
  const findingsByCheck = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
  );
  for (const [name, findings] of findingsByCheck) print(name, findings);
  const wrongCount = findingsByCheck
    .flatMap(([, findings]) => findings)
    .filter(({ state }) => state === "wrong").length;
  console.log(wrongCount === 0 ? "\nNothing is wrong." : `\nWrong: ${wrongCount}. The arrows say how to fix it.`);
  process.exitCode = wrongCount === 0 ? 0 : 1;
});

async function runCheck(check: Check): Promise<Finding[]> {
  try {
    return await withTimeout(timeoutMs + 500, check(AbortSignal.timeout(timeoutMs)));
  } catch (error) {
    if (error instanceof NotChecked) return [notChecked(error.message)];
    return [
      wrong(
        `Couldn't check this: ${failureReason(error)}.`,
        "Fix the other problems first. If this stays, see the logs of that part.",
      ),
    ];
  }
}

// Prints what is ok on one line, and each problem on its own line.
function print(name: string, findings: Finding[]) {
  const colors = { ok: "green", wrong: "red", warning: "yellow", "not checked": "yellow" } as const;
  const printLine = (state: Finding["state"], message: string) =>
    console.log(`${styleText(colors[state], state.padEnd(11))}  ${name}: ${message}`);
  const okMessages = findings.filter(({ state }) => state === "ok").map(({ message }) => message);
  if (okMessages.length > 0) printLine("ok", okMessages.join(", "));
  for (const finding of findings) {
    if (finding.state === "ok") continue;
    printLine(finding.state, finding.message);
    if (finding.state === "wrong") console.log(`${" ".repeat(13)}→ ${finding.fix}`);
  }
}
