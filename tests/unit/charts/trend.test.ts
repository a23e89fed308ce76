import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChartFilter, ChartMetric } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";
import { computeTrend, newestPeriod } from "@/lib/charts/display/trend";
import { formatOf } from "@/lib/format/format-of";
import { type Cell, resultOf } from "../../support/chart-result.ts";

const columns: ChartColumn[] = [
  { name: "at", label: "Time", type: "time" },
  { name: "day", label: "Day", type: "date", part: { of: "at", unit: "day" } },
  { name: "week", label: "Week", type: "date", part: { of: "at", unit: "week" } },
  { name: "month", label: "Month", type: "date", part: { of: "at", unit: "month" } },
  { name: "hour", label: "Hour", type: "number", part: { of: "at", unit: "hour" } },
  { name: "county", label: "County", type: "text" },
];
const count: ChartMetric = { key: "n", label: "Lines", aggregation: "count" };
const format = formatOf({ locale: "en-US", timeZone: "America/Los_Angeles" });

// The results are of Friday, November 20, 2026.
const trend = (groupBy: string, rows: Cell[][], metrics = [count], filters: ChartFilter[] = []) =>
  computeTrend({ kind: "number", result: resultOf(groupBy, metrics, rows), columns, format, filters });

describe("the number of the last whole period", () => {
  it.each<[string, string, Cell[][], string, number, string | null, number | undefined]>([
    [
      "a rise",
      "week",
      [
        ["2026-10-26", 9],
        ["2026-11-02", 80],
        ["2026-11-09", 100],
      ],
      "Week of Nov 9, 2026",
      100,
      "+20 (+25%) from 80 the week before",
      undefined,
    ],
    [
      "a fall, without the running week",
      "week",
      [
        ["2026-10-26", 9],
        ["2026-11-02", 80],
        ["2026-11-09", 60],
        ["2026-11-16", 5],
      ],
      "Week of Nov 9, 2026",
      60,
      "−20 (−25%) from 80 the week before",
      5,
    ],
    [
      "no change",
      "day",
      [
        ["2026-11-18", 3],
        ["2026-11-19", 3],
      ],
      "Nov 19, 2026",
      3,
      "No change from 3 the day before",
      undefined,
    ],
    [
      "a day before without records",
      "day",
      [
        ["2026-11-16", 4],
        ["2026-11-19", 3],
      ],
      "Nov 19, 2026",
      3,
      "+3 from 0 the day before",
      undefined,
    ],
    [
      "only the running day after others",
      "day",
      [
        ["2026-11-18", 4],
        ["2026-11-20", 1],
      ],
      "Nov 19, 2026",
      0,
      "−4 (−100%) from 4 the day before",
      1,
    ],
    [
      "months",
      "month",
      [
        ["2026-08-01", 9],
        ["2026-09-01", 10],
        ["2026-10-01", 15],
      ],
      "October 2026",
      15,
      "+5 (+50%) from 10 the month before",
      undefined,
    ],
    ["the first of all", "week", [["2026-11-09", 7]], "Week of Nov 9, 2026", 7, null, undefined],
    [
      "the second of all, as the first may be partial",
      "week",
      [
        ["2026-11-02", 3],
        ["2026-11-09", 7],
      ],
      "Week of Nov 9, 2026",
      7,
      null,
      undefined,
    ],
  ])("has %s", (_case, groupBy, rows, period, value, change, soFar) => {
    const result = trend(groupBy, [...rows, [null, 9]]);
    expect(result).toMatchObject({ period, numbers: [{ value, change }] });
    expect(result?.soFar?.values[0]).toBe(soFar);
  });

  it("compares rates in percentage points", () => {
    const metrics = [count, { ...count, key: "ok" }];
    const rows = [
      ["2026-10-26", 1, 1],
      ["2026-11-02", 10, 8],
      ["2026-11-09", 10, 9],
    ];
    const display = {
      derived: [{ key: "r", kind: "rate" as const, of: "ok", over: "n", format: "percent" as const }],
      hidden: ["n", "ok"],
    };
    const result = deriveNumbers(resultOf("week", metrics, rows), display, columns);
    expect(computeTrend({ kind: "number", result, columns, format })?.numbers[0]?.change).toBe(
      "+10 percentage points from 80% the week before",
    );
  });

  it.each(["county", "hour", "week,county", ""])("isn't there for groups by “%s”", (groupBy) => {
    expect(trend(groupBy, [["2026-11-09", "King", 1]])).toBeNull();
  });

  const weeks = [
    ["2026-10-19", 9],
    ["2026-10-26", 70],
    ["2026-11-02", 80],
    ["2026-11-09", 60],
    ["2026-11-16", 5],
  ];
  type Operator = "eq" | "gt" | "gte" | "lt" | "lte";
  const rise = "from 70 the week before";
  it.each<[Operator, string, string, string | null, string | null]>([
    ["lte", "day", "2026-11-12", "Week of Nov 2, 2026", rise],
    ["lt", "day", "2026-11-15", "Week of Nov 2, 2026", rise],
    ["lte", "day", "2026-11-15", "Week of Nov 9, 2026", "from 80 the week before"],
    ["gte", "day", "2026-11-04", "Week of Nov 9, 2026", null],
    ["gt", "day", "2026-11-01", "Week of Nov 9, 2026", "from 80 the week before"],
    ["gte", "day", "2026-11-10", null, null],
    ["eq", "day", "last 7 days", null, null],
    ["eq", "day", "last week", "Week of Nov 9, 2026", null],
    ["gte", "at", "2026-11-09T18:00:00Z", null, null],
    ["gte", "at", "2026-11-09T08:00:00Z", "Week of Nov 9, 2026", null], // midnight in Los Angeles
    ["lte", "at", "2026-11-15T20:00:00Z", "Week of Nov 2, 2026", rise],
    ["eq", "county", "2026-11-09", "Week of Nov 9, 2026", "from 80 the week before"],
  ])("compares only weeks that the filter %s on %s %s leaves whole", (operator, column, value, period, change) => {
    const result = trend("week", weeks, [count], [{ column, operator, value }]);
    expect(result?.period ?? null).toBe(period);
    expect(result?.numbers[0]?.change?.replace(/^.*(?=from)/, "") ?? null).toBe(change);
  });

  it("equals what counting the records of both periods gives, in random worlds", () => {
    const days = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 60 });
    const property = fc.property(days, (ago) => {
      const today = Date.UTC(2026, 10, 20);
      const all = ago.map((daysAgo) => new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10));
      const countOn = (day: string) => all.filter((other) => other === day).length;
      const result = trend(
        "day",
        [...new Set(all)].sort().map((day) => [day, countOn(day)]),
      );
      const newest = Math.min(...ago);
      const last = newest === 0 ? 1 : newest;
      const dayAgo = (days: number) => new Date(today - days * 86_400_000).toISOString().slice(0, 10);
      if (Math.max(...ago) < last) return void expect(result).toBeNull();
      const [now, past] = [countOn(dayAgo(last)), countOn(dayAgo(last + 1))];
      expect(result?.numbers[0]?.value).toBe(now);
      const change = result?.numbers[0]?.change ?? null;
      if (Math.max(...ago) < last + 1) return void expect(change).toBeNull();
      const difference = now > past ? `+${now - past}` : now < past ? `−${past - now}` : "No change";
      expect(change?.startsWith(difference)).toBe(true);
      expect(change?.endsWith(`from ${past} the day before`)).toBe(true);
    });
    fc.assert(property, { numRuns: 300, seed: 7 });
  });
});

it("is that of the newest period, without a change, where none is whole", () => {
  const subject = (groupBy: string, rows: Cell[][], filters: ChartFilter[]) => ({
    kind: "number" as const,
    filters,
    result: resultOf(groupBy, [count], rows),
    columns,
    format,
  });
  const newest = (groupBy: string, rows: Cell[][], filters: ChartFilter[] = []) => {
    const shown = newestPeriod(subject(groupBy, rows, filters));
    return shown && [shown.period, shown.numbers[0]?.value, shown.numbers[0]?.change];
  };
  expect(newest("week", [["2026-11-16", 5]])).toEqual(["Week of Nov 16, 2026, so far", 5, null]);
  expect(
    newest("week", [
      [null, 2],
      ["2026-11-09", 7],
    ]),
  ).toEqual(["Week of Nov 9, 2026, partial", 7, null]);
  for (const [operator, value] of [
    ["eq", "yesterday"],
    ["gte", "2026-11-17"],
    ["lte", "2026-11-19"],
  ] as const)
    expect(newest("week", [["2026-11-16", 5]], [{ column: "day", operator, value }])?.[0]).toMatch(/, partial$/);
  expect(newest("week", [[null, 2]])).toBeNull();
  expect(newest("county", [["King", 2]])).toBeNull();
});
