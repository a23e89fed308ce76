import { expect, test } from "vitest";
import { assessProgress } from "../../../lib/progress/forecast.ts";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";

// 100 a day, 3,000 so far, 30 days to go: 6,000 in the end, and 100 that may still come of today.
const facts = { goal: 5_000, endsOn: "2026-12-22", sheetSums: { ...sums(150) } };
function sums(count: number) {
  const [lines, squared] = [count * 20, count * 400];
  return { count, lines, valid: lines, linesSquared: squared, linesValid: squared, validSquared: squared };
}
const county = (name: string, target: number, accepted: number, last7Days: number) => ({
  county: name,
  target,
  entered: accepted,
  accepted,
  last7Days,
});
const assess = (...counties: ReturnType<typeof county>[]) =>
  assessProgress(campaignCounts(steady(30, 100), { ...facts, counties }));

test("shares what is to come as the last 7 days did", () => {
  const [king, pierce, clark, lewis] = assess(
    county("King", 1_000, 1_200, 350),
    county("Pierce", 1_000, 600, 175), // 600 + a quarter of 3,000 are 1,350
    county("Clark", 1_350, 600, 175),
    county("Lewis", 300, 100, 0),
  ).counties;
  expect(king).toMatchObject({ short: 0, aDay: expect.closeTo(50 * (31 / 30)), chance: 1 });
  expect(pierce).toMatchObject({ short: 400, aDay: expect.closeTo(25 * (31 / 30)) });
  expect(pierce?.chance).toBeGreaterThan(0.8);
  expect(clark?.chance).toBeCloseTo(0.5, 1);
  expect(lewis?.chance).toBeLessThan(0.01);
});

test("a campaign is as likely to qualify as its least likely county", () => {
  const { forecast, counties } = assess(county("King", 1_000, 1_200, 350), county("Clark", 1_350, 600, 175));
  expect(forecast?.chance).toBe(counties[1]?.chance);
  expect(assess(county("King", 1_000, 1_200, 350)).forecast?.chance).toBe(assess().forecast?.chance);
});

test("says nothing about a county while it is too early", () => {
  const early = campaignCounts(steady(3, 100), { ...facts, goal: 3_000, counties: [county("King", 900, 100, 100)] });
  expect(assessProgress(early).counties[0]).toMatchObject({
    chance: null,
    aDay: expect.closeTo((100 / 3) * (31 / 30)),
  });
});

test("a county's pace is that of the forecast, whatever was entered lately", () => {
  // The sheets of four weeks, 50 lines a day, were entered in one.
  const { days } = campaignCounts(steady(7, 200));
  const counties = [county("King", 2_000, 700, 700)];
  const catchingUp = campaignCounts(steady(28, 50), { ...facts, days, counties });
  expect(assessProgress(catchingUp).counties[0]?.aDay).toBeCloseTo(25 * (31 / 30));
});

test("without a last day, only a likely target has a chance", () => {
  const reached = { ...facts, goal: 2_000, endsOn: null, counties: [county("Lewis", 300, 100, 20)] };
  expect(assessProgress(campaignCounts(steady(30, 100), reached)).counties[0]?.chance).toBeNull();
});

test("a county without lines lately isn't certain to get none", () => {
  const [lewis] = assess(county("Lewis", 101, 100, 0)).counties;
  expect(lewis?.chance).toBeGreaterThan(0.2);
});

test("before the last 7 days have a line, counties grow as they did before", () => {
  const quiet = campaignCounts([...steady(8, 0), ...steady(22, 100)], {
    ...facts,
    counties: [county("King", 1_200, 1_100, 0)],
    collected: 3_200,
  });
  expect(assessProgress(quiet).counties[0]?.chance).toBeGreaterThan(0.9);
});
