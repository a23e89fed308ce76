import { expect, test } from "vitest";
import { estimateValid, wilsonInterval } from "../../../lib/progress/valid-estimate.ts";

const estimateOf = (collected: number, entered: number, accepted: number, duplicates: number) =>
  estimateValid({ collected, entered, accepted, duplicates });

// A·a − A·(A − 1)·d, computed by hand.
test.each<[what: string, given: [number, number, number, number], estimate: number]>([
  ["all entered: what is accepted", [500, 500, 410, 20], 410],
  ["half entered, A = 2: 2·400 − 2·10", [1000, 500, 400, 10], 780],
  ["a twentieth, A = 20: 20·425 − 20·19·3", [10_000, 500, 425, 3], 7_360],
  ["no duplicate: A·a", [1000, 100, 80, 0], 800],
  ["nothing accepted", [1000, 100, 0, 0], 0],
  ["never less than what is accepted: 10·5 − 10·9·5 is below 0", [1000, 100, 5, 5], 5],
])("%s", (_what, given, estimate) => {
  const found = estimateOf(...given);
  expect(found?.estimate).toBe(estimate);
  expect(found?.low).toBeLessThanOrEqual(estimate);
  expect(found?.high).toBeGreaterThanOrEqual(estimate);
});

test("returns null before a line is entered", () => expect(estimateOf(1000, 0, 0, 0)).toBeNull());

test("is certain when everything is entered", () => {
  expect(estimateOf(500, 500, 410, 20)).toEqual({ estimate: 410, low: 410, high: 410 });
});

// By hand: the share of 80 in 100 / (1 − 100/1000) is from 0.7162 to 0.8638, and of pairs there may be 3.8415 for the 0 seen.
// Below √((1000·0.0838)² + (10²·√0.99·3.8415)²) = 391, above 1000·0.0638 = 64.
test("has an interval that is wider on the side of unseen pairs", () => {
  const found = estimateOf(1000, 100, 80, 0);
  expect(found?.estimate).toBe(800);
  expect(found?.low).toBe(409);
  expect(found?.high).toBe(864);
});

test.each([
  ["at least the accepted lines", estimateOf(1000, 20, 18, 1)?.low, 18],
  ["at most all remaining lines as valid", estimateOf(1000, 20, 20, 0)?.high, 1000],
])("has an interval of %s", (_what, found, limit) => expect(found).toBe(limit));

test("narrows the interval with more entered lines", () => {
  const widths = [100, 400, 1600, 6400].map((entered) => {
    const found = estimateOf(10_000, entered, entered * 0.8, Math.round((entered / 10_000) ** 2 * 100));
    return (found?.high ?? 0) - (found?.low ?? 0);
  });
  expect(widths).toEqual(widths.toSorted((one, other) => other - one));
});

// Newcombe, Statistics in Medicine 17, 1998, table I, method 3; the last two by hand: z² / (n + z²) on one side.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
  [0, 1, 0, 0.7935],
  [10, 10, 0.7225, 1],
])("estimates the share of %i of %i from %d to %d", (successes, trials, low, high) => {
  const interval = wilsonInterval(successes, trials);
  expect(interval?.rate).toBe(successes / trials);
  expect(interval?.low).toBeCloseTo(low, 4);
  expect(interval?.high).toBeCloseTo(high, 4);
});

test("has no interval without trials", () => expect(wilsonInterval(0, 0)).toBeNull());
