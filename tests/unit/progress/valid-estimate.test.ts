import { expect, test } from "vitest";
import { estimateValid } from "../../../lib/progress/valid-estimate.ts";

const estimateOf = (collected: number, entered: number, accepted: number, duplicates: number) =>
  estimateValid({ collected, entered, accepted, duplicates });

// A·a − A·(A − 1)·d, worked by hand.
test.each<[what: string, given: [number, number, number, number], estimate: number]>([
  ["all is entered: what is accepted", [500, 500, 410, 20], 410],
  ["half is entered, A = 2: 2·400 − 2·10", [1000, 500, 400, 10], 780],
  ["a twentieth, A = 20: 20·425 − 20·19·3", [10_000, 500, 425, 3], 7_360],
  ["no duplicate: A·a", [1000, 100, 80, 0], 800],
  ["nothing counts", [1000, 100, 0, 0], 0],
  ["never less than what is accepted: 10·5 − 10·9·5 is below 0", [1000, 100, 5, 5], 5],
])("%s", (_what, given, estimate) => {
  const found = estimateOf(...given);
  expect(found?.estimate).toBe(estimate);
  expect(found?.low).toBeLessThanOrEqual(estimate);
  expect(found?.high).toBeGreaterThanOrEqual(estimate);
});

test("null before a line is entered", () => expect(estimateOf(1000, 0, 0, 0)).toBeNull());

test("what is wholly entered is certain", () => {
  expect(estimateOf(500, 500, 410, 20)).toEqual({ estimate: 410, low: 410, high: 410 });
});

// By hand: the share of 80 in 100 / (1 − 100/1000) is from 0.7162 to 0.8638, and of pairs there may be 3.8415 for the 0 seen.
// Below √((1000·0.0838)² + (10²·√0.99·3.8415)²) = 391, above 1000·0.0638 = 64.
test("the interval reaches further to the side of pairs not seen yet", () => {
  const found = estimateOf(1000, 100, 80, 0);
  expect(found?.estimate).toBe(800);
  expect(found?.low).toBe(409);
  expect(found?.high).toBe(864);
});

test.each([
  ["at least what is accepted", estimateOf(1000, 20, 18, 1)?.low, 18],
  ["at most as if all further lines counted", estimateOf(1000, 20, 20, 0)?.high, 1000],
])("the interval has %s", (_what, found, limit) => expect(found).toBe(limit));

test("more lines entered make a narrower interval", () => {
  const widths = [100, 400, 1600, 6400].map((entered) => {
    const found = estimateOf(10_000, entered, entered * 0.8, Math.round((entered / 10_000) ** 2 * 100));
    return (found?.high ?? 0) - (found?.low ?? 0);
  });
  expect(widths).toEqual(widths.toSorted((one, other) => other - one));
});
