import { expect, test } from "vitest";
import { dayAfter } from "../../../lib/format/days.ts";
import { collectionPace, computePace } from "../../../lib/progress/pace.ts";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";

test.each<[what: string, before: number[], last7: number | null, weekBefore: number | null]>([
  ["nothing yet", [], null, null],
  ["one day", [30], 30, null],
  ["four days, two of them without lines", [0, 10, 0, 30], 10, null],
  ["two weeks", [...steady(7, 20), ...steady(7, 40)], 20, 40],
  ["longer", [...steady(7, 20), ...steady(7, 40), ...steady(60, 900)], 20, 40],
  ["one day less than two weeks", [...steady(7, 20), ...steady(6, 40)], 20, null],
  ["a pause of a month", [...steady(30, 0), 500], 0, 0],
])("takes the mean of the whole days before today: %s", (_what, before, last7, weekBefore) => {
  const days = Math.min(7, before.length);
  const span = days === 0 ? null : { from: dayAfter("2026-11-22", -days), to: "2026-11-21", days };
  expect(computePace(campaignCounts(before))).toEqual({ last7, weekBefore, span });
});

const collected = (lines: number[], lagDays = 0) => campaignCounts(lines, { lagDays, endsOn: "2026-12-02" });

test.each<[what: string, lines: number[], lagDays: number, aDay: number | null, span: string]>([
  ["the last 28 days", [...steady(28, 14), ...steady(90, 900)], 0, 14, "2026-10-25 2026-11-21 28"],
  ["as many as there are", [10, 0, 20], 0, 10, "2026-11-19 2026-11-21 3"],
  [
    "those without sheets that may still come",
    [...steady(4, 0), ...steady(40, 100)],
    4,
    100,
    "2026-10-21 2026-11-17 28",
  ],
  ["all if all may be incomplete", [10, 20], 9, 15, "2026-11-20 2026-11-21 2"],
  ["nothing", [], 0, null, ""],
])("takes the pace of collection from %s", (_what, lines, lagDays, aDay, days) => {
  const { span, ...result } = collectionPace(collected(lines, lagDays));
  expect([result.aDay, span ? `${span.from} ${span.to} ${span.days}` : ""]).toEqual([aDay, days]);
});

test("expects the days that are left, and what is missing of the latest days", () => {
  // Ten days after today, and today.
  expect(collectionPace(collected(steady(40, 100))).projectThrough("2026-12-02").lines).toBe(1_100);
  expect(collectionPace(collected([...steady(4, 25), ...steady(40, 100)], 4)).projectThrough("2026-12-02").lines).toBe(
    1_400,
  );
  expect(collectionPace(collected(steady(40, 100))).projectThrough("2026-11-21").lines).toBe(0);
});

test("is less certain the more weeks differ", () => {
  const variance = (lines: number[]) => collectionPace(collected(lines)).projectThrough("2026-12-02").variance;
  const uneven = Array.from({ length: 56 }, (_, day) => (Math.floor(day / 7) % 2 === 0 ? 50 : 150));
  expect(variance(uneven)).toBeGreaterThan(4 * variance(steady(56, 100)));
});

test("counts lines on no sheet on the day of entry", () => {
  expect(collectionPace({ ...collected(steady(10, 100)), collectedDays: [] }).aDay).toBe(100);
});
