import { describe, expect, it } from "vitest";
import type { ChartMetric } from "@/lib/charts/chart-definition";
import type { ChartRow } from "@/lib/charts/chart-result";
import type { ChartColumn } from "@/lib/charts/chart-source";
import { deriveNumbers } from "@/lib/charts/derive-numbers";
import { type ChartDisplay, chartDisplaySchema } from "@/lib/charts/display";

const columns: ChartColumn[] = [
  { name: "county", label: "County", type: "text" },
  { name: "city", label: "City", type: "text" },
  { name: "at_week", label: "At by week", type: "date", part: { of: "at", unit: "week" } },
  { name: "at_month", label: "At by month", type: "date", part: { of: "at", unit: "month" } },
  { name: "at_hour", label: "At by hour", type: "number", part: { of: "at", unit: "hour" } },
];
const metrics: ChartMetric[] = [
  { key: "n", label: "Lines", aggregation: "count" },
  { key: "ok", label: "Accepted", aggregation: "count" },
  { key: "avg", label: "Average", aggregation: "avg", column: "line" },
  { key: "max", label: "Highest", aggregation: "max", column: "line" },
];

type Given = [group: (string | number | null)[], values: Record<string, number | null>];

// What is shown of a result: of each row its group, its numbers in order, and how many groups it stands for.
function shown(groupBy: string, rows: Given[], display: Partial<ChartDisplay>, of = metrics) {
  const names = groupBy === "" ? [] : groupBy.split(",");
  const result = {
    ...{ source: "lines", groupBy, metrics: of, recordCount: 9, groupCount: rows.length, generatedAt: "2026-11-20" },
    rows: rows.map(([group, values]): ChartRow => {
      return {
        key: group.join("|||"),
        group: Object.fromEntries(names.map((name, at) => [name, group[at] ?? null])),
        values,
      };
    }),
  };
  const { metrics: numbers, rows: told } = deriveNumbers(result, chartDisplaySchema.parse(display), columns);
  return {
    labels: numbers.map(({ label }) => label),
    rows: told.map(({ group, values, rest }) => [
      ...Object.values(group),
      ...numbers.map(({ key }) => values[key]),
      ...(rest === undefined ? [] : [{ rest }]),
    ]),
  };
}
const only = (...keys: string[]) => metrics.map(({ key }) => key).filter((key) => !keys.includes(key));

describe("a derived number", () => {
  it("a rate is one measure over another; over nothing there is none", () => {
    const display = {
      derived: [{ key: "r", kind: "rate", of: "ok", over: "n", format: "percent" }],
      hidden: only(),
    } satisfies Partial<ChartDisplay>;
    const rows: Given[] = [
      [["King"], { n: 3, ok: 1 }],
      [["Pierce"], { n: 0, ok: 0 }],
      [[null], { n: 2, ok: null }],
    ];
    expect(shown("county", rows, display)).toEqual({
      labels: ["Accepted / Lines"],
      rows: [
        ["King", 0.333333333333333],
        ["Pierce", null],
        [null, null],
      ],
    });
  });

  it("a share is of all groups, and there is none of an average", () => {
    const derived: ChartDisplay["derived"] = [
      { key: "s", kind: "share", of: "n" },
      { key: "none", kind: "share", of: "avg" },
    ];
    const rows: Given[] = [
      [["King"], { n: 3, avg: 2 }],
      [["Pierce"], { n: 1, avg: 4 }],
    ];
    expect(shown("county", rows, { derived, hidden: only() }).rows).toEqual([
      ["King", 0.75, null],
      ["Pierce", 0.25, null],
    ]);
  });

  it("a sum so far goes along the weeks, for each county by itself, wherever the week stands among the groups", () => {
    const derived: ChartDisplay["derived"] = [{ key: "c", kind: "cumulated", of: "n" }];
    const weeks: Given[] = [
      [["2026-11-02", "King"], { n: 1 }],
      [["2026-11-02", "Pierce"], { n: 10 }],
      [["2026-11-09", "King"], { n: 2 }],
      [["2026-11-16", "Pierce"], { n: 20 }],
      [[null, "King"], { n: 4 }],
    ];
    const display = { derived, hidden: only(), order: { by: "n", descending: true } };
    expect(shown("at_week,county", weeks, { derived, hidden: only() }).rows.map((row) => row.at(-1))).toEqual([
      1, 10, 3, 30, 7,
    ]);
    // In another order of the rows too.
    const turned = weeks.map(([[week = null, county = null], values]): Given => [[county, week], values]);
    expect(shown("county,at_week", turned, display).rows.map((row) => row.at(-1))).toEqual([30, 10, 7, 3, 1]);
  });

  it("without days it goes along the order", () => {
    const rows: Given[] = [
      [["King"], { n: 1 }],
      [["Pierce"], { n: 3 }],
    ];
    const derived: ChartDisplay["derived"] = [{ key: "c", kind: "cumulated", of: "n" }];
    expect(shown("county", rows, { derived, hidden: only(), order: { by: "n", descending: true } }).rows).toEqual([
      ["Pierce", 3],
      ["King", 4],
    ]);
  });

  it.each<[string, "percent" | "number", Given[], (number | null)[]]>([
    [
      "at_week",
      "percent",
      [
        [["2026-11-02"], { n: 4 }],
        [["2026-11-09"], { n: 5 }],
        [["2026-11-23"], { n: 1 }],
      ],
      [null, 0.25, null], // nothing in the week before: no part of it
    ],
    [
      "at_week",
      "number",
      [
        [["2026-10-26"], { n: 4 }],
        [["2026-11-02"], { n: 1 }],
        [["2026-11-16"], { n: 3 }],
        [[null], { n: 9 }],
      ],
      [null, -3, 3, null],
    ],
    [
      "at_month",
      "number",
      [
        [["2025-12-01"], { n: 4 }],
        [["2026-01-01"], { n: 6 }],
        [["2026-03-01"], { n: 1 }],
      ],
      [null, 2, 1],
    ],
    [
      "at_hour",
      "number",
      [
        [[8], { n: 4 }],
        [[9], { n: 6 }],
      ],
      [null, 2],
    ],
    ["county", "number", [[["King"], { n: 4 }]], [null]],
  ])("a change by %s in %s is against the period before", (groupBy, format, rows, expected) => {
    const derived: ChartDisplay["derived"] = [{ key: "d", kind: "change", of: "n", format }];
    expect(shown(groupBy, rows, { derived, hidden: only() }).rows.map((row) => row.at(-1))).toEqual(expected);
  });

  it("of a measure that is not there is left out, and where nothing would be left all is shown", () => {
    const derived: ChartDisplay["derived"] = [{ key: "s", kind: "share", of: "gone" }];
    const rows: Given[] = [[["King"], { n: 1, ok: 1, avg: 1, max: 1 }]];
    expect(shown("county", rows, { derived, hidden: only() }).labels).toEqual(metrics.map(({ label }) => label));
  });
});

describe("the first groups and the rest", () => {
  const rows: Given[] = [
    [["King", "Kent"], { n: 5, ok: 5, avg: 2, max: 7 }],
    [["Pierce", "Tacoma"], { n: 1, ok: 0, avg: 2, max: 7 }],
    [["Thurston", "Olympia"], { n: 2, ok: 1, avg: 4, max: 9 }],
    [[null, "Kent"], { n: 1, ok: 1, avg: 6, max: null }],
  ];
  const one = rows.map(([[county = null], values]): Given => [[county], values]);

  it("are one group: sums are added, extremes compared, and an average there is not", () => {
    const top = { column: "county", count: 1 };
    expect(shown("county", one, { top }).rows).toEqual([
      ["King", 5, 5, 2, 7],
      ["other (3)", 4, 2, null, 9, { rest: 3 }],
    ]);
  });

  it("a rate of the rest is of its sums, and it stays last in each order", () => {
    const display: Partial<ChartDisplay> = {
      derived: [{ key: "r", kind: "rate", of: "ok", over: "n", format: "percent" }],
      hidden: only(),
      top: { column: "county", count: 2 },
      order: { by: "r", descending: false },
    };
    expect(shown("county", one, display).rows).toEqual([
      ["Thurston", 0.5],
      ["King", 1],
      ["other (2)", 0.5, { rest: 2 }],
    ]);
  });

  it("fold one column, for each value of the others", () => {
    const top = { column: "county", count: 1 };
    const weeks: Given[] = [
      [["2026-11-02", "King"], { n: 1 }],
      [["2026-11-02", "Pierce"], { n: 3 }],
      [["2026-11-09", "King"], { n: 2 }],
      [["2026-11-09", "Kitsap"], { n: 1 }],
      [["2026-11-09", "Pierce"], { n: 4 }],
    ];
    const kept = metrics.slice(0, 1);
    expect(shown("at_week,county", weeks, { top }, kept).rows).toEqual([
      ["2026-11-02", "Pierce", 3],
      ["2026-11-02", "other (2)", 1, { rest: 1 }],
      ["2026-11-09", "Pierce", 4],
      ["2026-11-09", "other (2)", 3, { rest: 2 }],
    ]);
  });

  it("are all groups where there are no more", () => {
    expect(shown("county", one, { top: { column: "county", count: 4 } }).rows).toHaveLength(4);
  });
});
