import { expect, test } from "vitest";
import { paceOf } from "../../../lib/progress/pace.ts";

const today = "2026-11-22";
const dayAgo = (ago: number) => new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10);

// A campaign whose accepted lines were entered so many on each day before today, the last first, and so many today.
function campaign(before: number[], { soFar = 0, goal = null, endsOn = null }: Partial<Given> = {}) {
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
type Given = { soFar: number; goal: number | null; endsOn: string | null };
const steady = (count: number, aDay: number) => Array.from({ length: count }, () => aDay);

test.each<[what: string, before: number[], last7: number | null, last28: number | null]>([
  ["nothing yet", [], null, null],
  ["one day", [30], 30, 30],
  ["four days, two of them without lines", [0, 10, 0, 30], 10, 10],
  ["a week and more", [...steady(7, 20), ...steady(7, 40)], 20, 30],
  ["a year: the last 28 days", [...steady(28, 14), ...steady(337, 900)], 14, 14],
  ["a pause of a month", [...steady(30, 0), 500], 0, 0],
])("the pace is the mean of the whole days before today: %s", (_what, before, last7, last28) => {
  expect(paceOf(campaign(before, { soFar: 5 }))).toMatchObject({ last7, last28 });
});

test.each<[what: string, before: number[], weekBefore: number | null]>([
  ["two weeks", [...steady(7, 20), ...steady(7, 40)], 40],
  ["longer", [...steady(7, 20), ...steady(7, 40), ...steady(60, 900)], 40],
  ["one day less than two weeks", [...steady(7, 20), ...steady(6, 40)], null],
])("the week before is that before the last 7 days: %s", (_what, before, weekBefore) => {
  expect(paceOf(campaign(before, { soFar: 5 })).weekBefore).toBe(weekBefore);
});

test("work that began today has no pace yet, and meets nothing", () => {
  expect(paceOf(campaign([], { soFar: 40, goal: 1000 }))).toMatchObject({ last7: null, last28: null, met: null });
});

test.each<[what: string, given: Partial<Given>, needed: number | null]>([
  ["ten days, today among them: 900 / 10", { goal: 1000, endsOn: "2026-12-01" }, 90],
  [
    "what today has brought is not asked again of the days to come",
    { goal: 1000, endsOn: "2026-12-01", soFar: 50 },
    90,
  ],
  ["the last day", { goal: 1000, endsOn: today }, 900],
  ["after the end", { goal: 1000, endsOn: "2026-11-21" }, null],
  ["no last day", { goal: 1000 }, null],
  ["no goal", { endsOn: "2026-12-01" }, null],
  ["the goal is met", { goal: 100, endsOn: "2026-12-01" }, null],
])("what each day needs: %s", (_what, given, needed) => {
  expect(paceOf(campaign(steady(10, 10), given)).needed).toBe(needed);
});

test.each<[what: string, given: Partial<Given>, on: string, daysLate: number | null]>([
  ["100 left at 10 a day: today is one of them", { goal: 200 }, "2026-12-01", null],
  ["half of today's are in", { goal: 200, soFar: 5 }, "2026-12-01", null],
  ["today has brought three days' worth", { goal: 200, soFar: 30 }, "2026-11-29", null],
  ["today suffices", { goal: 105 }, today, null],
  ["on the last day", { goal: 200, endsOn: "2026-12-01" }, "2026-12-01", 0],
  ["late", { goal: 200, endsOn: "2026-11-25" }, "2026-12-01", 6],
  ["early", { goal: 200, endsOn: "2026-12-31" }, "2026-12-01", -30],
])("the day on which the goal is met: %s", (_what, given, on, daysLate) => {
  expect(paceOf(campaign(steady(10, 10), given)).met).toMatchObject({ on, daysLate });
});

test.each<[what: string, before: number[], given: Partial<Given>]>([
  ["no goal", steady(10, 10), {}],
  ["the goal is met", steady(10, 10), { goal: 100 }],
  ["nothing came for 28 days", [...steady(28, 0), 90], { goal: 100 }],
  ["it would take more than a century", [0, 0, 0, 1], { goal: 1_000_000 }],
])("no day meets the goal: %s", (_what, before, given) => expect(paceOf(campaign(before, given)).met).toBeNull());

// t for 27 days of freedom is 2.052, the dispersion at its least, 1: (3000 − 100 t)² = 2.052²·100·t·(1 + t/28) at 28.4 and 31.7.
test("the band of steady days is what chance makes of them", () => {
  const { met } = paceOf(campaign(steady(28, 100), { goal: 2800 + 3100 }));
  expect(met?.on).toBe("2026-12-22");
  expect(met?.band).toEqual({ earliest: "2026-12-21", latest: "2026-12-24" });
});

// Pearson's dispersion of 0 and 200 in turn is 100²·28/27/100 = 103.7, which lets the same be at 18.4 and 57.8.
test("days that differ widen the band, to the later side more", () => {
  const { met } = paceOf(
    campaign(
      Array.from({ length: 28 }, (_, day) => (day % 2) * 200),
      { goal: 2800 + 3100 },
    ),
  );
  expect(met?.band).toEqual({ earliest: "2026-12-11", latest: "2027-01-19" });
});

test("a single great day says no latest day", () => {
  expect(paceOf(campaign([...steady(13, 0), 1000], { goal: 5000 })).met?.band?.latest).toBeNull();
});

test("less than a week has no band", () => {
  expect(paceOf(campaign(steady(6, 10), { goal: 200 })).met).toMatchObject({ on: "2026-12-05", band: null });
  expect(paceOf(campaign(steady(7, 10), { goal: 200 })).met?.band).not.toBeNull();
});
