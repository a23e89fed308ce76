import { expect, it } from "vitest";
import type { ChartMetric } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { heatMap } from "@/lib/charts/display/heat-map";
import { formatOf } from "@/lib/format/format-of";
import { type Cell, resultOf } from "../../support/chart-result.ts";

const columns: ChartColumn[] = [
  { name: "day", label: "Weekday", type: "number", part: { of: "at", unit: "weekday" } },
  { name: "hour", label: "Hour", type: "number", part: { of: "at", unit: "hour" } },
];
const map = (rows: Cell[][], aggregation: ChartMetric["aggregation"], groupBy = "day,hour") => {
  const metric: ChartMetric = { key: "n", aggregation, column: "hour" };
  return heatMap({ kind: "heat-map", columns, format: formatOf(), result: resultOf(groupBy, [metric], rows) });
};

it("has every weekday and hour in their order, zero where nothing was counted, and all totals", () => {
  const hours = Array.from({ length: 24 }, (_, hour) => [1, hour, 10 + hour]);
  const result = map([[6, 9, 500], ...hours], "count");
  expect(result?.across).toHaveLength(24);
  expect(result?.rows.map(({ label, total }) => `${label} ${total}`)).toEqual([
    "Monday 516",
    "Tuesday 0",
    "Wednesday 0",
    "Thursday 0",
    "Friday 0",
    "Saturday 500",
  ]);
  expect(result?.rows[5]?.cells.map(({ value }) => value)).toEqual(hours.map(([, hour]) => (hour === 9 ? 500 : 0)));
  expect([result?.largest, result?.total?.at(9), result?.total?.at(-1)]).toEqual([500, 519, 1016]);
});

it("has no totals of averages, and no number where there is no record", () => {
  const rows = [
    [1, 9, 4],
    [2, 10, 6],
  ];
  expect(map(rows, "avg")).toMatchObject({ total: null, rows: [{ cells: [{ value: 4 }, { value: null }] }, {}] });
});

it("has the hours and days between the first and the last without records", () => {
  const result = map(
    [
      [1, 8, 4],
      [3, 11, 6],
      [null, 9, 2],
    ],
    "count",
  );
  expect(result?.across.map(({ label }) => label)).toEqual(["8 AM", "9 AM", "10 AM", "11 AM"]);
  expect(result?.rows.map(({ label }) => label)).toEqual(["Monday", "Tuesday", "Wednesday", "No weekday"]);
});

it("needs two groups, and at most 3,000 cells", () => {
  expect(map([[1, 4]], "count", "day")).toBeNull();
  expect(
    map(
      Array.from({ length: 60 }, (_, index) => [index, index, 1]),
      "count",
    ),
  ).toBeNull();
});
