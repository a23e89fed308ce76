import { expect, test } from "vitest";
import { paceOf } from "../../../lib/progress/pace.ts";

const today = "2026-11-22";
const dayAgo = (ago: number) => new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10);

// A campaign with these accepted lines on each day before today, the latest first, and `soFar` today.
function campaign(before: number[], { soFar = 0, goal = null, endsOn = null }: Partial<Options> = {}) {
  const days = [soFar, ...before]
    .map((accepted, ago) => ({ day: dayAgo(ago), accepted, entered: accepted }))
    .filter(({ accepted }) => accepted > 0)
    .reverse();
  const accepted = days.reduce((sum, day) => sum + day.accepted, 0);
  return {
    ...{ today, goal, endsOn, startsOn: null, archivedAt: null, days, accepted, entered: accepted },
    ...{ duplicates: 0, collected: accepted, teams: 1, own: { accepted, entered: accepted } },
  };
}
type Options = { soFar: number; goal: number | null; endsOn: string | null };
const steady = (count: number, aDay: number) => Array.from({ length: count }, () => aDay);

test.each<[what: string, before: number[], last7: number | null, last28: number | null]>([
  ["nothing yet", [], null, null],
  ["one day", [30], 30, 30],
  ["four days, two of them without lines", [0, 10, 0, 30], 10, 10],
  ["a week and more", [...steady(7, 20), ...steady(7, 40)], 20, 30],
  ["a year: the last 28 days", [...steady(28, 14), ...steady(337, 900)], 14, 14],
  ["a pause of a month", [...steady(30, 0), 500], 0, 0],
])("takes the mean of the whole days before today: %s", (_what, before, last7, last28) => {
  expect(paceOf(campaign(before, { soFar: 5 }))).toMatchObject({ last7, last28 });
});

test.each<[what: string, before: number[], weekBefore: number | null]>([
  ["two weeks", [...steady(7, 20), ...steady(7, 40)], 40],
  ["longer", [...steady(7, 20), ...steady(7, 40), ...steady(60, 900)], 40],
  ["one day less than two weeks", [...steady(7, 20), ...steady(6, 40)], null],
])("compares with the week before the last 7 days: %s", (_what, before, weekBefore) => {
  expect(paceOf(campaign(before, { soFar: 5 })).weekBefore).toBe(weekBefore);
});

test("has no pace and no goal date when work began today", () => {
  expect(paceOf(campaign([], { soFar: 40, goal: 1000 }))).toMatchObject({ last7: null, last28: null, met: null });
});

test.each<[what: string, options: Partial<Options>, needed: number | null]>([
  ["ten days, today among them: 900 / 10", { goal: 1000, endsOn: "2026-12-01" }, 90],
  ["today's lines don't reduce what the coming days need", { goal: 1000, endsOn: "2026-12-01", soFar: 50 }, 90],
  ["the last day", { goal: 1000, endsOn: today }, 900],
  ["after the end", { goal: 1000, endsOn: "2026-11-21" }, null],
  ["no last day", { goal: 1000 }, null],
  ["no goal", { endsOn: "2026-12-01" }, null],
  ["the goal is met", { goal: 100, endsOn: "2026-12-01" }, null],
])("computes what each day needs: %s", (_what, options, needed) => {
  expect(paceOf(campaign(steady(10, 10), options)).needed).toBe(needed);
});

test.each<[what: string, options: Partial<Options>, on: string, daysLate: number | null]>([
  ["100 left at 10 a day: today is one of them", { goal: 200 }, "2026-12-01", null],
  ["half of today's lines are entered", { goal: 200, soFar: 5 }, "2026-12-01", null],
  ["today has three days' worth", { goal: 200, soFar: 30 }, "2026-11-29", null],
  ["today is enough", { goal: 105 }, today, null],
  ["on the last day", { goal: 200, endsOn: "2026-12-01" }, "2026-12-01", 0],
  ["late", { goal: 200, endsOn: "2026-11-25" }, "2026-12-01", 6],
  ["early", { goal: 200, endsOn: "2026-12-31" }, "2026-12-01", -30],
])("finds the day of the goal: %s", (_what, options, on, daysLate) => {
  expect(paceOf(campaign(steady(10, 10), options)).met).toMatchObject({ on, daysLate });
});

test.each<[what: string, before: number[], options: Partial<Options>]>([
  ["no goal", steady(10, 10), {}],
  ["the goal is met", steady(10, 10), { goal: 100 }],
  ["no lines for 28 days", [...steady(28, 0), 90], { goal: 100 }],
  ["it would take more than a century", [0, 0, 0, 1], { goal: 1_000_000 }],
])("finds no day of the goal: %s", (_what, before, options) =>
  expect(paceOf(campaign(before, options)).met).toBeNull(),
);

// t for 27 degrees of freedom is 2.052, the dispersion its minimum, 1: (3000 − 100 t)² = 2.052²·100·t·(1 + t/28) at 28.4 and 31.7.
test("has a band from chance alone for steady days", () => {
  const { met } = paceOf(campaign(steady(28, 100), { goal: 2800 + 3100 }));
  expect(met?.on).toBe("2026-12-22");
  expect(met?.band).toEqual({ earliest: "2026-12-21", latest: "2026-12-24" });
});

// Pearson's dispersion of alternating 0 and 200 is 100²·28/27/100 = 103.7, which gives 18.4 and 57.8.
test("has a wider band for varying days, especially on the later side", () => {
  const { met } = paceOf(
    campaign(
      Array.from({ length: 28 }, (_, day) => (day % 2) * 200),
      { goal: 2800 + 3100 },
    ),
  );
  expect(met?.band).toEqual({ earliest: "2026-12-11", latest: "2027-01-19" });
});

test("has no latest day after a single large day", () => {
  expect(paceOf(campaign([...steady(13, 0), 1000], { goal: 5000 })).met?.band?.latest).toBeNull();
});

test("has no band for less than a week", () => {
  expect(paceOf(campaign(steady(6, 10), { goal: 200 })).met).toMatchObject({ on: "2026-12-05", band: null });
  expect(paceOf(campaign(steady(7, 10), { goal: 200 })).met?.band).not.toBeNull();
});
