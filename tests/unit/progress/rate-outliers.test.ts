import { expect, test } from "vitest";
import { markOutliers } from "../../../lib/progress/rate-outliers.ts";

const none = { count: 0, lines: 0, accepted: 0, duplicates: 0 };

/** Circulators with valid lines / lines: "Ann 6/6, none 0/6"; and the totals of the others. */
function outliers(text: string, rest = { count: 0, lines: 0, accepted: 0 }) {
  const rows = [...text.matchAll(/(\w+) (\d+)\/(\d+)/g)].map(([, name = "", accepted, lines]) => ({
    circulator: name === "none" ? null : name,
    lines: Number(lines),
    accepted: Number(accepted),
    duplicates: 0,
  }));
  const circulators = { rows, rest: { ...rest, duplicates: 0 } };
  return markOutliers({ circulators, clerks: { rows: [], rest: none } }).circulators.map(({ outlier }) => outlier);
}

// Probabilities computed by hand: of 12 lines with 6 valid ones, a draw of 6 has all of them with 1/924, 5 with 36/924.
test.each<[what: string, rows: string, expected: ("high" | "low" | null)[]]>([
  ["two of 6 lines, all and none: 2/924 each, twice below 5 %", "A 6/6, B 0/6", ["high", "low"]],
  ["5 and 1 of 6: 2·37/924 = 8 %", "A 5/6, B 1/6", [null, null]],
  ["alike", "A 80/100, B 240/300, C 41/50", [null, null, null]],
  ["one far below", "A 800/1000, B 790/1000, C 90/200", ["high", "high", "low"]],
  ["no one to compare with", "A 10/50", [null]],
  ["lines without a circulator are compared with, but not tested", "A 6/6, none 0/6", ["high", null]],
  ["all are valid", "A 60/60, B 40/40", [null, null]],
  ["no lines", "", []],
  // Its probability underflows to 0.
  ["a million lines", "A 480000/500000, B 300000/500000, C 15/20", ["high", "low", null]],
])("%s", (_what, rows, expected) => expect(outliers(rows)).toEqual(expected));

test("needs stronger evidence the more circulators are compared", () => {
  // 15 of 15 against 30 of 45: 2·C(45, 15)/C(60, 15) = 1.3 %, an outlier among two but not among sixteen.
  const others = Array.from({ length: 15 }, (_, index) => `B${index} 2/3`);
  expect([outliers("A 15/15, B 30/45")[0], outliers(`A 15/15, ${others}`)[0]]).toEqual(["high", null]);
});

test("counts and compares those beyond the list", () => {
  expect(outliers("A 6/6", { count: 1, lines: 6, accepted: 0 })).toEqual(["high"]);
  expect(outliers("A 6/6", { count: 30, lines: 6, accepted: 0 })).toEqual([null]);
});

// Duplicates / lines, with accepted lines that differ for other reasons.
test.each<[what: string, rows: string, expected: string]>([
  ["a few among few lines, in a campaign with 2 %", "A 2/20, B 20/1000, C 18/1000", ""],
  ["one duplicate, the only one", "A 1/10, B 0/500", ""],
  ["many, far above the others", "A 20/200, B 20/1000, C 18/1000", "A"],
  ["few, far below the others", "A 0/300, B 60/3000, C 55/3000", ""],
  ["alike", "A 10/500, B 12/480", ""],
])("marks duplicates only above the others with certainty: %s", (_what, text, expected) => {
  const rows = [...text.matchAll(/(\w+) (\d+)\/(\d+)/g)].map(([, circulator = "", duplicates, lines], index) => ({
    circulator,
    lines: Number(lines),
    accepted: index,
    duplicates: Number(duplicates),
  }));
  const { circulators } = markOutliers({ circulators: { rows, rest: none }, clerks: { rows: [], rest: none } });
  expect(circulators.flatMap(({ circulator, repeats }) => (repeats ? circulator : [])).join()).toBe(expected);
});
