import { expect, test } from "vitest";
import { recentPeriods, sumTallies } from "@/lib/progress/recent-days";

test.each([
  [
    "a Wednesday",
    "2026-11-25",
    ["2026-11-24", "2026-11-24"],
    ["2026-11-23", "2026-11-25"],
    ["2026-11-16", "2026-11-22"],
  ],
  ["a Monday", "2026-11-23", ["2026-11-22", "2026-11-22"], ["2026-11-23", "2026-11-23"], ["2026-11-16", "2026-11-22"]],
  ["a Sunday", "2026-03-01", ["2026-02-28", "2026-02-28"], ["2026-02-23", "2026-03-01"], ["2026-02-16", "2026-02-22"]],
])("on %s, yesterday and the weeks are", (_what, today, ...expected) => {
  const { yesterday, thisWeek, lastWeek } = recentPeriods(today);
  expect([yesterday, thisWeek, lastWeek].map(({ from, to }) => [from, to])).toEqual(expected);
});

const on = (day: number, lines: number) => ({
  day: `2026-11-${day}`,
  lines,
  accepted: lines - 2,
  duplicates: 1,
});

test("adds up the days of a period, both ends included", () => {
  const days = [on(15, 100), on(16, 10), on(18, 20), on(22, 30), on(23, 100)];
  expect(sumTallies(days, { from: "2026-11-16", to: "2026-11-22" })).toEqual({
    lines: 60,
    accepted: 54,
    duplicates: 3,
  });
  expect(sumTallies(days, { from: "2026-11-19", to: "2026-11-21" })).toEqual({ lines: 0, accepted: 0, duplicates: 0 });
});
