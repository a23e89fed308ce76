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
  const found = map([[6, 9, 500], ...hours], "count");
  expect(found?.across).toHaveLength(24);
  expect(found?.rows.map(({ label, total }) => `${label} ${total}`)).toEqual(["Monday 516", "Saturday 500"]);
  expect(found?.rows[1]?.cells.map(({ value }) => value)).toEqual(hours.map(([, hour]) => (hour === 9 ? 500 : 0)));
  expect([found?.largest, found?.total?.at(9), found?.total?.at(-1)]).toEqual([500, 519, 1016]);
});

it("has no totals of averages, and no number where there is no record", () => {
  const rows = [
    [1, 9, 4],
    [2, 10, 6],
  ];
  expect(map(rows, "avg")).toMatchObject({ total: null, rows: [{ cells: [{ value: 4 }, { value: null }] }, {}] });
});

it("needs two groups, and at most 3,000 cells", () => {
  expect(map([[1, 4]], "count", "day")).toBeNull();
  expect(
    map(
      Array.from({ length: 60 }, (_, at) => [at, at, 1]),
      "count",
    ),
  ).toBeNull();
});
