import { expect, test } from "vitest";
import { outlookText } from "@/components/progress/outlook-text";
import { formatOf } from "@/lib/format/format-of";
import type { CampaignProgress } from "@/lib/progress/answers";
import type { Pace } from "@/lib/progress/pace";
import type { ValidEstimate } from "@/lib/progress/valid-estimate";

const progress: CampaignProgress = {
  ...{ today: "2026-11-22", goal: 50_000, startsOn: "2026-09-23", endsOn: "2027-02-20", archivedAt: null },
  ...{ accepted: 11_862, entered: 12_627, duplicates: 312, collected: 12_627, teams: 1 },
  own: { accepted: 11_862, entered: 12_627 },
  days: [{ day: "2026-09-23", accepted: 11_862, entered: 12_627 }],
};
const met = { on: "2027-04-17", daysLate: 56, band: { earliest: "2027-04-02", latest: "2027-05-05" } };
const early = { on: "2027-02-03", daysLate: -17, band: { earliest: "2027-01-20", latest: "2027-02-18" } };
const open = { earliest: "2027-01-20", latest: null };
const pace: Pace = { last7: 166, last28: 260.4, weekBefore: null, needed: 423.8, met };
const none: Pace = { last7: null, last28: null, weekBefore: null, needed: 423.8, met: null };
const format = { ...formatOf(), shortDay: formatOf().day }; // always with the year

const needs =
  "It needs 424 a day from today, 164 more than the 260 a day of the last 28 days. The last 7 days averaged 166.";
const paceAssumption = "Assumes coming days resemble past ones, by date of entry.";
const within = `${paceAssumption} Dates in parentheses are a 95% interval, based on how much the days vary.`;
const sheetsAssumption =
  "The estimate has a 95% interval. It assumes sheets not entered yet resemble those entered, which aren't a random sample.";
const onAllSheets = "Estimated valid signatures on all sheets: 13,330 (13,250–13,410).";
const late =
  "At the pace of the last 28 days, it reaches its goal on Apr 17, 2027, 8 weeks late (Apr 2, 2027 – May 5, 2027).";
const noEnd = "Without an end date, there's no daily number to reach.";
const estimate: ValidEstimate = { estimate: 13_330, low: 13_250, high: 13_410 };

type Case = [
  name: string,
  given: Partial<CampaignProgress> & { pace?: Partial<Pace>; estimate?: ValidEstimate },
  verdict: string,
  says: string,
  assumes?: string,
];
const collected = { collected: 14_210 };
const ended = { endsOn: "2026-11-19" };
const empty = { entered: 0, accepted: 0, collected: 0, days: [] };
const cases: Case[] = [
  [
    "archived",
    { archivedAt: "2026-11-03T12:00:00Z", accepted: 60_000 },
    "neutral: Archived",
    "Archived on Nov 3, 2026 with 60,000 of 50,000 valid signatures.",
  ],
  [
    "archived without a goal",
    { archivedAt: "2026-11-03T12:00:00Z", goal: null },
    "neutral: Archived",
    "Archived on Nov 3, 2026 with 11,862 valid signatures.",
  ],
  [
    "without a goal",
    { goal: null, pace: { needed: null, met: null } },
    "neutral: No goal set",
    "Once it has a goal and an end date, you'll see here whether it's on track.",
  ],
  [
    "at its goal",
    { accepted: 50_000, pace: { met: null } },
    "done: Goal reached",
    "50,000 valid signatures, exactly the goal.",
  ],
  [
    "one signature short",
    { accepted: 49_999, ...ended, pace: { met: null, needed: null } },
    "wrong: Ended short of its goal",
    "It ended on Nov 19, 2026, 1 signature short of its goal.",
  ],
  [
    "more than its goal",
    { accepted: 50_138, ...ended, pace: { met: null, needed: null } },
    "done: Goal reached",
    "50,138 valid signatures, 138 more than the goal.",
  ],
  [
    "ended short, with too few on all sheets",
    { ...ended, ...collected, estimate },
    "wrong: Ended short of its goal",
    `It ended on Nov 19, 2026, 38,138 signatures short of its goal. ${onAllSheets}`,
    sheetsAssumption,
  ],
  [
    "ended, with about enough on all sheets",
    { ...ended, ...collected, goal: 13_300, estimate },
    "waiting: Uncertain until all sheets are entered",
    `It ended on Nov 19, 2026, 1,438 signatures short of its goal. ${onAllSheets}`,
    sheetsAssumption,
  ],
  [
    "enough on all sheets while it runs",
    { ...collected, goal: 13_250, estimate },
    "done: On track: enough signatures collected",
    `${onAllSheets} Enter the rest to confirm.`,
    sheetsAssumption,
  ],
  [
    "not started",
    { ...empty, startsOn: "2026-12-01", pace: none },
    "neutral: Starts in 9 days",
    "It will need 610 a day.",
  ],
  [
    "not started, without a last day",
    { ...empty, startsOn: "2026-11-23", endsOn: null, pace: { ...none, needed: null } },
    "neutral: Starts in 1 day",
    noEnd,
  ],
  ["nothing entered", { ...empty, pace: none }, "neutral: No signatures entered yet", "It needs 424 a day from today."],
  [
    "on the first day with lines",
    { days: [{ day: "2026-11-22", accepted: 9, entered: 10 }], pace: none },
    "neutral: Too early to tell",
    "Today is the first day with entries. You'll see a pace tomorrow. It needs 424 a day from today.",
  ],
  [
    "after one day",
    {
      days: [{ day: "2026-11-21", accepted: 9, entered: 10 }],
      pace: { last7: 9, last28: 9, needed: 8.61, met: { ...met, band: null } },
    },
    "waiting: Too early to tell",
    "It needs 8.7 a day from today. At the pace of the last day, it reaches its goal on Apr 17, 2027, 8 weeks late.",
    paceAssumption,
  ],
  ["late", {}, "wrong: Behind", `${needs} ${late}`, within],
  [
    "later than a year",
    { pace: { met: { on: "2034-09-14", daysLate: 2_763, band: { earliest: "2032-01-01", latest: "2042-01-01" } } } },
    "wrong: Behind",
    `${needs} At the pace of the last 28 days, it reaches its goal over a year late.`,
    paceAssumption,
  ],
  [
    "late, with sheets not entered yet",
    { ...collected, estimate },
    "wrong: Behind",
    `${needs} ${late} ${onAllSheets}`,
    `${within} ${sheetsAssumption}`,
  ],
  [
    "early",
    { pace: { met: early, last7: 501.6 } },
    "done: On track",
    needs.replace("166", "502") +
      " At the pace of the last 28 days, it reaches its goal on Feb 3, 2027, 17 days early (Jan 20, 2027 – Feb 18, 2027).",
    within,
  ],
  [
    "early, without a latest date",
    { pace: { met: { on: "2027-02-20", daysLate: 0, band: open }, last7: 0 } },
    "waiting: At risk",
    needs.replace("166", "0") +
      " At the pace of the last 28 days, it reaches its goal on Feb 20, 2027, on its last day (Jan 20, 2027 at the earliest).",
    within,
  ],
  [
    "without a last day",
    { endsOn: null, pace: { needed: null, met: { ...met, daysLate: null } } },
    "neutral: No end date set",
    `At the pace of the last 28 days, it reaches its goal on Apr 17, 2027 (Apr 2, 2027 – May 5, 2027). ${noEnd}`,
    within,
  ],
  [
    "stopped",
    { pace: { last7: 0, last28: 0, met: null } },
    "wrong: Behind",
    "No valid signatures in the last 28 days. It needs 424 a day from today.",
  ],
  [
    "never",
    { pace: { last28: 0.1, met: null } },
    "wrong: Behind",
    `At this pace it would take over 100 years. ${needs.replace("164", "424").replace("260", "0.1")}`,
  ],
];

test.each(cases)("%s", (_name, { pace: going, estimate = null, ...campaign }, verdict, says, assumes) => {
  const known = { progress: { ...progress, ...campaign }, pace: { ...pace, ...going }, estimate };
  const { tone, title, ...texts } = outlookText(known, format);
  expect([`${tone}: ${title}`, texts]).toEqual([verdict, { says, ...(assumes && { assumes }) }]);
});
