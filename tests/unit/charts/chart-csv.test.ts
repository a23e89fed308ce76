import { expect, test } from "vitest";
import type { ChartDisplay, ChartMetric } from "../../../lib/charts/definition/definition.ts";
import { chartCsv } from "../../../lib/charts/display/csv.ts";
import { formatOf } from "../../../lib/format/format-of.ts";
import { type Cell, resultOf } from "../../support/chart-result.ts";

const types = [
  { name: "county", label: "County", type: "text" as const },
  { name: "day", label: "Day", type: "date" as const },
  { name: "entered_at", label: "Entered at", type: "time" as const },
  { name: "verdict", label: "Status", type: "text" as const },
  { name: "weekday", label: "Weekday", type: "number" as const, part: { of: "day", unit: "weekday" as const } },
];
const lines = (groupBy: string, metrics: ChartMetric[], rows: Cell[][], display: ChartDisplay | null = null) =>
  chartCsv({
    display,
    columns: types,
    data: resultOf(groupBy, metrics, rows),
    carried: null,
    filters: [],
    format: formatOf(),
  })
    .slice(1)
    .trimEnd()
    .split("\r\n");

test("has a header, then its groups", () => {
  const segment = [{ column: "zip", operator: "eq" as const, value: "98030" }];
  const average: ChartMetric = { key: "a", aggregation: "avg", column: "line", segment };
  const rows = [
    ["-King", ["a"], 2, -1.5],
    [null, null, 1, null],
  ];
  expect(lines("county,tags", [{ key: "n", aggregation: "count", label: "Lines" }, average], rows)).toEqual([
    '"County","tags","Lines","Average of line, 98030"',
    `"'-King","[""a""]",2,-1.5`,
    '"No county",,1,',
  ]);
});

test("writes the first and last date and time as such, without milliseconds", () => {
  const metrics: ChartMetric[] = [
    { key: "n", aggregation: "count", column: "day" },
    { key: "d", aggregation: "max", column: "day" },
    { key: "t", aggregation: "min", column: "entered_at" },
    { key: "none", aggregation: "min", column: "entered_at" },
  ];
  const rows = [[2, Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 21, 10), null]];
  expect(lines("", metrics, rows).at(-1)).toBe('2,"2026-11-21","2026-11-21T10:00:00.000Z",');
});

test("has calculations and the others as the chart shows them", () => {
  const counts: ChartMetric[] = ["n", "ok"].map((key) => ({ key, aggregation: "count" }));
  const display: ChartDisplay = {
    derived: [{ key: "r", label: "Valid", kind: "rate", of: "ok", over: "n", format: "percent" }],
    hidden: ["ok"],
    top: { column: "county", count: 1 },
    goal: { value: 0.9 },
  };
  const rows = [5, 2, 1].map((n, index) => [`C${index}`, n, index]);
  expect(lines("county", counts, rows, display)).toEqual([
    '"County","Signatures","Valid"',
    '"C0",5,0',
    '"Other (2 groups)",3,1',
  ]);
});

test("has the screen's words for results and weekdays", () => {
  const rows = [
    ["not-found", 1, "2026-11-02", 3],
    ["accepted", 7, "2026-11-08", 1],
    [null, null, null, 2],
  ];
  expect(lines("verdict,weekday,day", [{ key: "n", aggregation: "count" }], rows)).toEqual([
    '"Status","Weekday","Day","Signatures"',
    '"Not found","Monday","2026-11-02",3',
    '"Valid","Sunday","2026-11-08",1',
    '"No status","No weekday","No day",2',
  ]);
});
