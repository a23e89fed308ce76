import { readFileSync } from "node:fs";
import type { z } from "zod";
import { scheduleSchema } from "../../lib/health/inspect-redis.ts";
import { resultData } from "./check-supabase.ts";
import { createAdminClient, type Finding, isLocal, notChecked, ok, supabaseUrl, wrong } from "./finding.ts";

const schedule = readFileSync(new URL("../../supabase/schedule.sql", import.meta.url), "utf8");
const jobPattern = /\('([a-z-]+)', '(?:(\d+) seconds|(\*|\d+) \* \* \* \*)'/g;
/** The jobs of supabase/schedule.sql, and the time between their runs. */
export const intervalsSeconds: Record<string, number> = Object.fromEntries(
  [...schedule.matchAll(jobPattern)].map(([, name, seconds, minute]) => [
    name,
    seconds ? Number(seconds) : minute === "*" ? 60 : 3_600,
  ]),
);
const graceSeconds = 120; // how late a run or a pending change may be
const setUpFix =
  "Run supabase/schedule.sql in Supabase's SQL editor, with project_url and secret_key as its header shows.";
const failedFix = `See its runs in Supabase's SQL editor: select * from cron.job_run_details order by start_time desc; If a setting is missing: ${setUpFix}`;

/** Checks that the jobs run, and that no pending change waits too long. */
export async function checkSchedule(signal: AbortSignal): Promise<Finding[]> {
  const state = resultData(await createAdminClient().rpc("schedule_state").abortSignal(signal), signal);
  if (state === undefined) return [wrong("The database has no schedule functions.", "npx supabase db push")];
  return judgeSchedule(scheduleSchema.parse(state), { now: Date.now(), local: isLocal(supabaseUrl()) });
}

/** The findings about a state of the schedule. The local stack has no jobs: it calls the functions itself. */
export function judgeSchedule(
  { jobs, oldestPending }: z.infer<typeof scheduleSchema>,
  { now, local }: { now: number; local: boolean },
): Finding[] {
  const names = Object.keys(intervalsSeconds);
  const unscheduled = names.filter((name) => typeof jobs[name] !== "object");
  const overdue = Object.entries(oldestPending).flatMap(([kind, waitedSeconds]) =>
    waitedSeconds !== null && waitedSeconds > graceSeconds ? [`${kind} for ${waitedSeconds} s`] : [],
  );
  const problems = [
    ...(local || unscheduled.length === 0 ? [] : [wrong(`Not scheduled: ${unscheduled.join(", ")}.`, setUpFix)]),
    ...names.flatMap((name) => judgeJob(name, jobs[name], now)),
    ...(overdue.length > 0
      ? [
          wrong(
            `Changes are overdue: ${overdue.join(", ")}.`,
            local
              ? "The local stack calls the functions itself: see functions.log in its folder."
              : `See the logs of the edge functions and their secret REDIS_URL (npx supabase secrets list). If there are no calls: ${setUpFix}`,
          ),
        ]
      : []),
  ];
  if (problems.length > 0) return problems;
  if (unscheduled.length > 0)
    return [notChecked("a local stack calls the edge functions itself"), ok("nothing is overdue")];
  return [ok("all jobs run, nothing is overdue")];
}

function judgeJob(
  name: string,
  job: z.infer<typeof scheduleSchema>["jobs"][string] | undefined,
  now: number,
): Finding[] {
  const intervalSeconds = intervalsSeconds[name] ?? 0;
  if (job === undefined || job === "not scheduled") return [];
  if (!job.active) {
    const fix = `In Supabase's SQL editor: select cron.alter_job(jobid, active := true) from cron.job where jobname = '${name}';`;
    return [wrong(`The job ${name} is switched off.`, fix)];
  }
  if (job.status === "failed")
    return [wrong(`The last run of the job ${name} failed: ${job.error ?? "no reason given"}.`, failedFix)];
  const restart = "Restart the project in Supabase (Project Settings, General), which restarts pg_cron.";
  if (job.ranAt === null) {
    return intervalSeconds > graceSeconds
      ? []
      : [wrong(`The job ${name} has not run yet.`, `Check again in a minute. If it still hasn't: ${restart}`)];
  }
  const ageSeconds = Math.round((now - Date.parse(job.ranAt)) / 1000);
  return ageSeconds > intervalSeconds + graceSeconds
    ? [wrong(`The job ${name} last ran ${ageSeconds} s ago, but should run every ${intervalSeconds} s.`, restart)]
    : [];
}
