// npm run doctor: says what is wrong with the environment that .env names, else with the local stack, and what mends it. Ends
// with code 1 when anything is. What it does changes nothing.
import { styleText } from "node:util";
import { within } from "../lib/supabase/within.ts";
import { checkFunctions } from "./doctor/check-functions.ts";
import { checkMigrations } from "./doctor/check-migrations.ts";
import { checkProjectSettings } from "./doctor/check-project-settings.ts";
import { checkRedis } from "./doctor/check-redis.ts";
import { checkSchedule } from "./doctor/check-schedule.ts";
import { checkSearch } from "./doctor/check-search.ts";
import { checkSupabase } from "./doctor/check-supabase.ts";
import { checkVariables } from "./doctor/check-variables.ts";
import { type Check, type Finding, NotChecked, notChecked, wrong } from "./doctor/finding.ts";
import { reasonOf } from "./doctor/settings.ts";
import { loadSettings } from "./load-settings.ts";
import { run } from "./local-stack/run.ts";

const timeout = 4_500; // ms after which a check is to name what hangs; it has half a second for that

const checks: Record<string, Check> = {
  Variables: checkVariables,
  Supabase: checkSupabase,
  Migrations: checkMigrations,
  "Edge functions": checkFunctions,
  Schedule: checkSchedule,
  Redis: checkRedis,
  "Voter search": checkSearch,
  "Project settings": checkProjectSettings,
};

await run(async () => {
  console.log(
    `Settings: ${loadSettings() ?? "the environment alone: there is no .env, and no local stack runs (npm run demo)"}\n`,
  );
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await findingsOf(check)] as const),
  );
  for (const [name, findings] of found) print(name, findings);
  const wrongs = found.flatMap(([, findings]) => findings).filter(({ state }) => state === "wrong").length;
  console.log(wrongs === 0 ? "\nNothing is wrong." : `\nWrong: ${wrongs}, with what mends it below.`);
  process.exitCode = wrongs === 0 ? 0 : 1;
});

async function findingsOf(check: Check): Promise<Finding[]> {
  try {
    return await within(timeout + 500, check(AbortSignal.timeout(timeout)));
  } catch (error) {
    if (error instanceof NotChecked) return [notChecked(error.message)];
    return [
      wrong(
        `This cannot be told: ${reasonOf(error)}.`,
        "Mend what else is wrong. If it stays, see the logs of that part.",
      ),
    ];
  }
}

// What is right stands on one line, what is not on one each.
function print(name: string, findings: Finding[]) {
  const colors = { ok: "green", wrong: "red", warning: "yellow", "not checked": "yellow" } as const;
  const line = (state: Finding["state"], told: string) =>
    console.log(`${styleText(colors[state], state.padEnd(11))}  ${name}: ${told}`);
  const right = findings.filter(({ state }) => state === "ok").map(({ told }) => told);
  if (right.length > 0) line("ok", right.join(", "));
  for (const finding of findings) {
    if (finding.state === "ok") continue;
    line(finding.state, finding.told);
    if (finding.state === "wrong") console.log(`${" ".repeat(13)}→ ${finding.mend}`);
  }
}
