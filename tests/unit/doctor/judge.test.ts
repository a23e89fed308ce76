import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { judgeRedis } from "../../../scripts/doctor/check-redis.ts";
import { intervalsSeconds, judgeSchedule } from "../../../scripts/doctor/check-schedule.ts";
import { refusals } from "../../../scripts/doctor/check-supabase.ts";
import type { Finding } from "../../../scripts/doctor/finding.ts";

const texts = (findings: Finding[]) => findings.map(({ state, message }) => `${state}: ${message}`);

const root = new URL("../../../supabase/", import.meta.url);

test("checks each edge function", () => {
  const folders = readdirSync(new URL("functions", root)).filter((name) => /^[a-z]/.test(name));
  expect(Object.keys(refusals).sort()).toEqual(folders.sort());
});

const now = Date.parse("2026-11-01T12:00:00Z");
const ran = (ago: number) => ({
  active: true,
  status: "succeeded",
  error: null,
  ranAt: new Date(now - ago * 1000).toISOString(),
});
const jobs = Object.fromEntries(Object.entries(intervalsSeconds).map(([name, seconds]) => [name, ran(seconds)]));
const quiet = { permissions: null, signers: null };
const judge = (state: Partial<Parameters<typeof judgeSchedule>[0]>, local = false) =>
  texts(judgeSchedule({ jobs, oldestPending: quiet, ...state }, { now, local }));

test("judges all jobs of supabase/schedule.sql", () => {
  expect(intervalsSeconds).toEqual({
    "invalidate-permissions": 5,
    "sync-signers": 5,
    "look-at-signers": 60,
    "send-invitations": 30,
    "send-emails": 30,
    "purge-read-log": 3_600,
    "purge-emails": 3_600,
    "queue-digests": 3_600,
    "erase-personal-data": 60,
    "purge-job-runs": 3_600,
  });
  for (const name of Object.keys(jobs)) {
    const { [name]: _, ...others } = jobs;
    expect(judge({ jobs: others })).toEqual([`wrong: Not scheduled: ${name}.`]);
  }
});

const notRun = { ...ran(0), ranAt: null, status: null };
const withJob = (name: string, run: object) => ({ jobs: { ...jobs, [name]: { ...ran(1), ...run } } });
const well = "ok: all jobs run, nothing is overdue";
test.each<[what: string, state: Parameters<typeof judge>[0], says: string]>([
  ["all jobs run", {}, well],
  ["a job is running", withJob("sync-signers", { status: "running" }), well],
  ["an hourly job has not run yet", withJob("purge-job-runs", notRun), well],
  ["a job due every 5 s has not run", withJob("sync-signers", notRun), "wrong: The job sync-signers has not run yet."],
  [
    "a job is two minutes late",
    withJob("send-invitations", ran(151)),
    "wrong: The job send-invitations last ran 151 s ago, but should run every 30 s.",
  ],
  [
    "changes are overdue for two minutes",
    { oldestPending: { permissions: 120, signers: 121 } },
    "wrong: Changes are overdue: signers for 121 s.",
  ],
])("judges the schedule when %s", (_, state, says) => {
  expect(judge(state)).toEqual([says]);
});

test("sends to the log of the jobs when one has failed, and to the schedule only if a setting is missing", () => {
  const state = { oldestPending: quiet, ...withJob("purge-emails", { status: "failed", error: "ERROR: no" }) };
  const fix = expect.stringMatching(/cron\.job_run_details.+If a setting is missing: Run supabase\/schedule\.sql/);
  expect(judgeSchedule(state, { now, local: false })).toEqual([expect.objectContaining({ fix })]);
});

test("reports overdue changes on a local stack, which has no schedule", () => {
  const notChecked = "not checked: a local stack calls the edge functions itself";
  expect(judge({ jobs: {} }, true)).toEqual([notChecked, "ok: nothing is overdue"]);
  expect(judge({ jobs: {}, oldestPending: { permissions: 500, signers: null } }, true)).toEqual([
    "wrong: Changes are overdue: permissions for 500 s.",
  ]);
});

const redis = { version: "7.0.15", evictionPolicy: "noeviction", refuses: [], latencyMs: 1 };
test.each<[given: Partial<typeof redis> | { version: null } | { evictionPolicy: null }, says: string | null]>([
  [{ version: "6.2.0" }, null],
  [{ version: "10.0.0" }, null],
  [{ version: "Valkey 8.0.1" }, null],
  [{ latencyMs: 10 }, null],
  [{ version: "6.0.16" }, "wrong: Redis 6.0.16 is too old."],
  [{ version: "5.9.0" }, "wrong: Redis 5.9.0 is too old."],
  [{ version: null }, "not checked: it doesn't say its version, which must be 6.2 or newer"],
  [
    { evictionPolicy: null },
    "not checked: it doesn't say what it evicts, which must be nothing (maxmemory-policy noeviction)",
  ],
  [{ evictionPolicy: "volatile-lru" }, "wrong: Redis evicts (volatile-lru): "],
  [{ latencyMs: 10.1 }, "warning: 10.1 ms per response: "],
])("judges a Redis with %j", (input, says) => {
  const lines = texts(judgeRedis({ ...redis, ...input })).filter((line) => !line.startsWith("ok: "));
  expect(lines).toEqual(says === null ? [] : [expect.stringContaining(says)]);
});
