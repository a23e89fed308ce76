import { expect, test } from "vitest";
import { calibration } from "../../../bench/support/calibration.ts";
import { wilsonInterval } from "../../../lib/progress/wilson-interval.ts";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";

test("the interval contains the true share of valid lines", () => {
  const rows = [20, 100, 500, 5_000].flatMap((lines) =>
    [0.05, 0.5, 0.75, 0.93].map((share) => {
      const next = seededRandom(lines);
      let covered = 0;
      for (let round = 0; round < 1_000; round++) {
        let valid = 0;
        for (let line = 0; line < lines; line++) if (next() < share) valid += 1;
        const interval = wilsonInterval(valid, lines);
        if (interval && interval.low <= share && share <= interval.high) covered += 1;
      }
      return { lines, share, covered: covered / 1_000 };
    }),
  );
  // Few lines have few possible shares, so any interval varies around 95 %.
  const mean = rows.reduce((sum, { covered }) => sum + covered / rows.length, 0);
  expect(mean).toBeGreaterThan(0.94);
  expect(mean).toBeLessThan(0.96);
  for (const { covered, lines, share } of rows) expect(covered, `${lines} ${share}`).toBeGreaterThanOrEqual(0.91);
});

test("forecasts of 2,000 campaigns contain nine of ten results, and their chances are right", {
  timeout: 600_000,
}, () => {
  const { rows, covered } = calibration({ campaignCount: 2_000, seed: 1 });
  expect(covered.all).toBeGreaterThanOrEqual(0.9);
  const { qualified = 0 } = rows.find(({ called }) => called === 0.7) ?? {};
  expect(qualified).toBeGreaterThanOrEqual(0.6);
  expect(qualified).toBeLessThanOrEqual(0.8);
});
