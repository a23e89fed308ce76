import { expect, test } from "vitest";
import { calibration } from "../../../bench/support/calibration.ts";
import { assessProgress, type Plan } from "../../../lib/progress/forecast.ts";
import { normalAbove } from "../../../lib/progress/normal.ts";
import type { CampaignProgress } from "../../../lib/progress/responses.ts";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";
import { fullCount } from "../../support/no-official-check.ts";

const forecast = (...args: Parameters<typeof assessProgress>) => assessProgress(...args).forecast;

const onPaper = (
  collected: number,
  entered: number,
  accepted: number,
  duplicates: number,
  goal: number | null = null,
) => forecast(campaignCounts([], { collected, entered, accepted, duplicates, goal, endsOn: "2026-11-21" }));

// A·a − A·(A − 1)·d, computed by hand.
test.each<[what: string, given: [number, number, number, number], estimate: number]>([
  ["all entered: what is accepted", [500, 500, 410, 20], 410],
  ["half entered, A = 2: 2·400 − 2·10", [1000, 500, 400, 10], 780],
  ["a quarter entered, A = 4: 4·9,000 − 12·300", [40_000, 10_000, 9_000, 300], 32_400],
  ["no duplicate: A·a", [1000, 100, 80, 0], 800],
  ["nothing accepted", [1000, 100, 0, 0], 0],
  ["more paper never has fewer valid signatures: the most is at A = 1", [1000, 100, 5, 5], 5],
])("estimates %s", (_what, args, estimate) => {
  const estimated = onPaper(...args)?.onHand;
  expect(estimated?.estimate).toBe(estimate);
  expect(estimated?.low).toBeLessThanOrEqual(estimate);
  expect(estimated?.high).toBeGreaterThanOrEqual(estimate);
});

test("has no forecast before a line is entered", () => expect(onPaper(1000, 0, 0, 0)).toBeNull());

test("is certain when everything is entered and it is over", () => {
  expect(onPaper(500, 500, 410, 20, 411)).toMatchObject({ final: { estimate: 410, low: 410, high: 410 }, chance: 0 });
  expect(onPaper(500, 500, 410, 20, 410)?.chance).toBe(1);
});

test("counts duplicates of what is on hand with what is to come", () => {
  // 100 collected a day, a tenth more in the 11 days through the end: A = 1.1.
  const counts = campaignCounts(steady(100, 110), { entered: 10_000, accepted: 9_000, duplicates: 300 });
  const final = forecast({ ...counts, endsOn: "2026-11-23" })?.final?.estimate;
  const scale = (11_000 + 2 * 110) / 10_000;
  expect(final).toBeCloseTo(scale * 9_000 - scale * (scale - 1) * 300, 6); // not rounded
});

test.each<[what: string, plan: Plan, ahead: number]>([
  ["as measured", { aDay: 100, validity: 0.9 }, 1_100],
  ["twice the pace from tomorrow", { aDay: 200 }, 100 + 2_000],
  ["two thirds of the validity rate", { validity: 0.6 }, (2 / 3) * 1_100],
  ["both", { aDay: 200, validity: 0.6 }, (2 / 3) * 2_100],
  ["nothing more", { aDay: 0 }, 100],
])("forecasts what is planned: %s", (_what, plan, ahead) => {
  // 100 lines a day, of which 90 are valid: 100 expected today, and ten days are left.
  const facts = { entered: 10_000, accepted: 9_000, duplicates: 300, goal: 20_000, endsOn: "2026-12-02" };
  const counts = campaignCounts(steady(100, 100), facts);
  const result = forecast(counts, plan);
  const scale = (10_000 + ahead) / 10_000;
  expect(result?.final?.estimate).toBeCloseTo(scale * 9_000 - scale * (scale - 1) * 300, 6);
  expect(result?.onHand).toEqual(forecast(counts)?.onHand);
  if (plan.validity === 0.9) expect(result).toEqual({ ...forecast(counts), span: null });
});

test("needs more lines a day if fewer are valid", () => {
  const counts = campaignCounts(steady(50, 100), { accepted: 4_000, goal: 6_000, endsOn: "2026-12-02" });
  const needed = (plan: Plan) => forecast(counts, plan)?.neededADay;
  expect(Number(needed({ validity: 0.4 })) / Number(needed({}))).toBeCloseTo(2, 1);
  expect(forecast(counts, { aDay: 900 })?.aDay).toBe(900);
});

// 4,000 collected, 800 entered: the paper alone is worth 3,560.
test("changes its verdict gradually with the goal", () => {
  const chances = [3_400, 3_450, 3_500, 3_550, 3_600, 3_650, 3_700].map((goal) => {
    const facts = { collected: 4_000, entered: 800, accepted: 720, duplicates: 2, goal, endsOn: "2026-12-31" };
    return forecast(campaignCounts(steady(3, 0), { ...facts, collectedDays: [{ day: "2026-11-02", lines: 4_000 }] }));
  });
  const values = chances.map((chance) => chance?.chance ?? -1);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  for (const [index, value] of values.slice(1).entries()) expect((values[index] ?? 0) - value).toBeLessThan(0.2);
});

// Needed on average: 1.1 · 9,000 − 0.11 · 100 are 9,889.
const growing = { accepted: 9_000, duplicates: 100, goal: 9_889, endsOn: "2026-12-02" };

test("needs as many lines a day as make it 90 % likely, more than on average", () => {
  const counts = campaignCounts(steady(100, 100), growing);
  const needed = forecast(counts)?.neededADay ?? 0;
  const chance = (aDay: number) => forecast(counts, { aDay })?.chance ?? 0;
  // 100 of the latest day are to come. Half of the campaigns reach it, and those whose pace rises at the end.
  expect(chance(90)).toBeCloseTo(0.5 + 0.5 * 0.25, 2);
  expect(forecast(counts)?.averageADay).toBeCloseTo(90, 6);
  expect(needed).toBeGreaterThan(90);
  expect(chance(needed)).toBeGreaterThanOrEqual(0.9);
  expect(chance(0.999 * needed)).toBeLessThan(0.9);
  // Whatever is assumed of the pace, as much is needed.
  expect(forecast(counts, { aDay: 3 })?.neededADay).toBe(needed);
});

test("aims for what the official check needs if that is more than the goal", () => {
  const official = { required: 7_000, margin: 10, rejection: 5, ...fullCount };
  const paces = (facts: Partial<CampaignProgress>) => {
    const { forecast } = assessProgress(campaignCounts(steady(30, 100), { endsOn: "2026-12-22", ...facts }));
    return [forecast?.neededADay, forecast?.averageADay];
  };
  expect(paces({ goal: 5_000, official })).toEqual(paces({ goal: 8_106 }));
  expect(paces({ goal: 9_000, official })).toEqual(paces({ goal: 9_000 }));
});

test("needs more until what is on hand is enough, even if sheets of the latest days may still come", () => {
  const before = [...steady(20, 0), ...steady(100, 100)];
  const counts = { ...campaignCounts(before, { ...growing, goal: 10_000 }), collected: 10_500, lagDays: 20 };
  const missing = forecast(counts);
  expect(missing?.chanceNow).toBeLessThan(0.01);
  expect(forecast(counts, { aDay: 0 })?.chance).toBeGreaterThan(0.9);
  expect(missing?.neededADay).toBeGreaterThan(10);
  const enough = forecast({ ...counts, collected: 12_000 });
  expect(enough?.chanceNow).toBeGreaterThan(0.9);
  expect(enough?.neededADay).toBe(0);
});

test("isn't less likely to qualify beyond the pace that brings the most valid signatures", () => {
  // The most are at A = 10,000/(2·1,000) = 5.
  const facts = { accepted: 9_000, duplicates: 1_000, goal: 20_000, endsOn: "2026-12-02" };
  const final = (aDay: number) => forecast(campaignCounts(steady(100, 100), facts), { aDay });
  expect(final(100_000)?.final).toMatchObject({ ...final(4_500)?.final, lines: 1_010_100 });
  expect(final(100_000)?.chance).toBe(final(4_500)?.chance);
});

test("needs what the least likely county needs, and no pace if none is enough", () => {
  const counts = campaignCounts(steady(100, 100), growing);
  const county = { county: "King", target: 2_000, entered: 1_800, accepted: 1_800, last7Days: 140 };
  const without = forecast(counts)?.neededADay ?? 0;
  const needed = forecast({ ...counts, counties: [county] })?.neededADay ?? 0;
  expect(needed).toBeGreaterThan(without);
  expect(assessProgress({ ...counts, counties: [county] }, { aDay: needed }).counties[0]?.chance).toBeCloseTo(0.9, 2);
  const empty = { ...county, entered: 0, accepted: 0, last7Days: 0 };
  expect(forecast({ ...counts, counties: [empty] })).toMatchObject({ neededADay: without, isGoalOnly: true });
  expect(forecast({ ...counts, goal: 600_000 })?.neededADay).toBeNull();
  expect(forecast({ ...counts, goal: 9_000 })?.neededADay).toBe(0);
});

// At most 110²/(4·1) = 3,025 valid ones at a rate of 1 in 110, and 900²/(4·100) = 2,025 at 100 in 1,000, with 2,880 at the
// upper end of the band.
test.each([
  [110, 109, 1, 35_000, false],
  [110, 110, 0, 35_000, false],
  [110, 70, 40, 35_000, true],
  [3, 0, 0, 35_000, false],
  [1_000, 800, 100, 2_600, false],
  [1_000, 800, 100, 3_000, true],
  [110, 105, 5, 35_000, false],
])("%i lines, %i accepted and %i duplicates, prove that a goal of %i is never reached: %s", (...args) => {
  const [entered, accepted, duplicates, goal, isNeverEnough] = args;
  const counts = { entered, collected: entered, accepted, duplicates, goal, endsOn: "2027-01-22" };
  expect(forecast(campaignCounts(steady(10, entered / 10), counts))).toMatchObject({ isNeverEnough });
});

test("knows on the first day what is needed on average, while no pace makes it likely", () => {
  const first = { entered: 100, accepted: 100, collected: 100, goal: 2_100, endsOn: "2026-12-02" };
  const counts = campaignCounts([], { ...first, collectedDays: [{ day: "2026-11-22", lines: 100 }] });
  expect(forecast(counts)).toMatchObject({ aDay: null, span: null, neededADay: null, averageADay: 200 });
  expect(forecast(counts, { aDay: 200 })?.final?.estimate).toBe(2_100);
});

test("says what is on hand is worth if it were all", () => {
  const counts = campaignCounts(steady(100, 100), { ...growing, collected: 11_100 });
  expect(forecast(counts)?.chanceNow).toBeCloseTo(
    assessProgress({ ...counts, endsOn: "2026-11-21" }).forecast?.chance ?? 0,
    1,
  );
  expect(forecast({ ...counts, collected: 10_000 })).toMatchObject({ chanceNow: 0 });
});

test("says only in hopeless cases before a week that it won't qualify", () => {
  const chance = (goal: number) => forecast(campaignCounts(steady(3, 100), { goal, endsOn: "2026-12-22" }))?.chance;
  expect(chance(3_000)).toBeNull();
  expect(chance(50_000)).toBeLessThan(0.01);
  // 40 on a single day, for 20,000: no duplicates were found, and there can't be fewer.
  const firstDay = campaignCounts([40], { goal: 20_000, endsOn: "2027-04-06" });
  expect(forecast(firstDay)?.chance).toBeLessThan(0.01);
});

test("counts what comes on late sheets as what collecting nothing more would still bring", () => {
  // 100 a day, of which those of the last three days haven't arrived.
  const counts = campaignCounts([0, 0, 0, ...steady(40, 100)], { lagDays: 3, goal: 9_000, endsOn: "2026-12-22" });
  const [measured, nothing] = [{}, { aDay: 0 }].map((plan) => assessProgress(counts, plan).forecast);
  expect(measured?.lateLines).toBeCloseTo(400);
  expect(nothing?.final?.lines).toBeCloseTo(4_000 + 400);
});

test("a few duplicates neither end a campaign nor save it", () => {
  // 34 lines a day for 130 days. Its one duplicate caps 29 lines at about 210 valid signatures, but may be the only one.
  const chanceOf = (goal: number) =>
    forecast(campaignCounts([...steady(1, 29)], { goal, accepted: 28, duplicates: 1, endsOn: "2027-04-01" }));
  expect(chanceOf(3_000)?.chance).toBeNull();
  expect(chanceOf(3_000)?.final?.high).toBeGreaterThan(3_000);
  expect(chanceOf(30_000)?.chance).toBeLessThan(0.01);
});

test("is less certain if validity differs between sheets", () => {
  const sums = { count: 50, lines: 1_000, valid: 800, linesSquared: 20_000, linesValid: 16_000 };
  const width = (validSquared: number) => {
    const facts = { entered: 1_000, accepted: 800, collected: 5_000, sheetSums: { ...sums, validSquared } };
    const result = forecast(campaignCounts([], facts));
    return { effect: result?.designEffect, width: (result?.onHand.high ?? 0) - (result?.onHand.low ?? 0) };
  };
  // Half of the sheets have 20 valid lines, half 12: 25·400 + 25·144 = 13,600, a deviation of 4 where chance has 1.79.
  expect(width(13_600).effect).toBeCloseTo((16 / 3.2) * (50 / 49), 6);
  expect(width(12_800).effect).toBe(1);
  expect(width(13_600).width).toBeGreaterThan(1.2 * width(12_800).width);
});

test("entry errors that the quality check found make it less certain", () => {
  const estimateWith = (checked: { lines: number; errors: number }) =>
    forecast(campaignCounts([], { entered: 1_000, accepted: 800, collected: 1_000, checked }))?.onHand;
  expect(estimateWith({ lines: 0, errors: 0 })).toMatchObject({ estimate: 800, low: 800, high: 800 });
  // 10.25 in 225 either way, evenly: a deviation of 1,000·√((0.0456² + 0.0456·0.9544/226)/3) = 27.5.
  const unsure = estimateWith({ lines: 200, errors: 10 });
  expect([unsure?.low, unsure?.high].map((value) => Math.round(value ?? 0))).toEqual([746, 854]);
  const width = ({ low, high } = { low: 0, high: 0 }) => high - low;
  const widths = [
    [200, 0],
    [6, 0],
    [6, 2],
    [60, 20],
  ].map(([lines = 0, errors = 0]) => width(estimateWith({ lines, errors })));
  expect(widths.map(Math.round)).toEqual([6, 40, 194, 475]);
});

test.each([
  [0, 0.5],
  [1.959964, 0.025],
  [-1, 0.841345],
])("finds the chance above %d", (z, chance) => expect(normalAbove(z)).toBeCloseTo(chance, 6));

test("holds in random campaigns with a fixed seed, and beats the naive pace", { timeout: 60_000 }, () => {
  const { covered, brier, naive } = calibration({ campaignCount: 60, seed: 3 });
  expect(covered.all).toBeGreaterThanOrEqual(0.9);
  expect(brier).toBeLessThan(naive);
});
