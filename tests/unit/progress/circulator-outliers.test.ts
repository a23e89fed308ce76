import { expect, test } from "vitest";
import { circulatorOutliers } from "../../../lib/progress/circulator-outliers.ts";

const of = (rows: [circulator: string | null, lines: number, accepted: number][], rest = [0, 0, 0]) => ({
  rows: rows.map(([circulator, lines, accepted]) => ({ circulator, lines, accepted, duplicates: 0 })),
  rest: { count: rest[0] ?? 0, lines: rest[1] ?? 0, accepted: rest[2] ?? 0, duplicates: 0 },
});

// Chances worked by hand: of 12 lines of which 6 count, 6 drawn are all such with 1/924, 5 with 36/924.
test.each<[what: string, rows: [string | null, number, number][], expected: ("high" | "low" | null)[]]>([
  [
    "two of 6 lines, all and none: 2/924 each, twice below 5 %",
    [
      ["A", 6, 6],
      ["B", 6, 0],
    ],
    ["high", "low"],
  ],
  [
    "5 and 1 of 6: 2·37/924 = 8 %",
    [
      ["A", 6, 5],
      ["B", 6, 1],
    ],
    [null, null],
  ],
  [
    "alike",
    [
      ["A", 100, 80],
      ["B", 300, 240],
      ["C", 50, 41],
    ],
    [null, null, null],
  ],
  [
    "one far below",
    [
      ["A", 1000, 800],
      ["B", 1000, 790],
      ["C", 200, 90],
    ],
    ["high", "high", "low"],
  ],
  ["nobody to compare with", [["A", 50, 10]], [null]],
  [
    "lines of nobody are compared with, and not judged",
    [
      ["A", 6, 6],
      [null, 6, 0],
    ],
    ["high", null],
  ],
  [
    "all count",
    [
      ["A", 60, 60],
      ["B", 40, 40],
    ],
    [null, null],
  ],
  ["nothing is keyed", [], []],
  // So unlikely that it is 0 as a number.
  [
    "a million lines",
    [
      ["A", 500_000, 480_000],
      ["B", 500_000, 300_000],
      ["C", 20, 15],
    ],
    ["high", "low", null],
  ],
])("%s", (_what, rows, expected) => expect(circulatorOutliers(of(rows))).toEqual(expected));

test("the more are looked at, the less of it is chance", () => {
  // 15 of 15 against 30 of 45: 2·C(45, 15)/C(60, 15) = 1.3 %, which two stand and twelve do not.
  const alone = of([
    ["A", 15, 15],
    ["B", 45, 30],
  ]);
  const among = of([
    ["A", 15, 15],
    ...Array.from({ length: 15 }, (_, index): [string, number, number] => [`B${index}`, 3, 2]),
  ]);
  expect([circulatorOutliers(alone)[0], circulatorOutliers(among)[0]]).toEqual(["high", null]);
});

test("those beyond the list are compared with and counted", () => {
  const given: [string, number, number][] = [["A", 6, 6]];
  expect(circulatorOutliers(of(given, [1, 6, 0]))).toEqual(["high"]);
  expect(circulatorOutliers(of(given, [30, 6, 0]))).toEqual([null]);
});
