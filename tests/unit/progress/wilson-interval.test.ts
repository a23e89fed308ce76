import { expect, test } from "vitest";
import { wilsonInterval } from "../../../lib/progress/wilson-interval.ts";

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
