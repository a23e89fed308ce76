import { expect, test } from "vitest";
import { backlogText, estimateText, perDayText, rateText, weekChangeText } from "@/components/progress/number-text";
import { formatOf } from "@/lib/format/format-of";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";

const format = formatOf();

test.each([
  [13_333, 13_248, 13_412, "13,330", "13,250–13,410"],
  [13_333, 13_332, 13_334, "13,333", "13,332–13,334"],
  [1_234_567, 1_200_000, 1_270_000, "1,235,000", "1,200,000–1,270,000"],
  [7, 7, 7, "7", null],
  [7.2, 7.1, 7.4, "7", null],
])("rounds %f from %f to %f to its precision", (estimate, low, high, text, interval) => {
  expect(estimateText({ estimate, low, high }, format)).toEqual({ estimate: text, interval });
});

test("says how long entry takes for what isn't entered, if lines were entered lately", () => {
  const said = (days: number[], collected: number) => backlogText(campaignCounts(days, { collected }), format);
  expect([said(steady(20, 100), 2_501), said(steady(20, 100), 2_020), said([], 2_501)]).toEqual([
    "about 6 days' work",
    "less than a day's work",
    null,
  ]);
});

test.each([
  [423.2, "423", "424"],
  [10, "10", "10"],
  [9.96, "10", "10"],
  [1.61, "1.6", "1.7"],
  [0, "0", "0"],
])("writes %f a day as %s, and as %s when needed", (aDay, text, needed) => {
  expect([perDayText(aDay, format), perDayText(aDay, format, Math.ceil)]).toEqual([text, needed]);
});

test.each([
  [90, 80, "up 12.5% from the week before"],
  [60, 80, "down 25% from the week before"],
  [0, 80, "down 100% from the week before"],
  [80, 80, "same as the week before"],
  [0, 0, "same as the week before"],
  [80, 0, "none the week before"],
  [80, null, null],
  [null, null, null],
])("compares %s a day with %s a day before: %s", (last7, weekBefore, text) => {
  expect(weekChangeText({ last7, weekBefore }, format)).toBe(text);
});

test("has an interval for a rate, and nothing without lines", () => {
  expect(rateText({ accepted: 11_862, lines: 12_627 }, format)).toEqual({ rate: "93.9%", interval: "93.5%–94.3%" });
  expect(rateText({ accepted: 0, lines: 0 }, format)).toBeNull();
});
