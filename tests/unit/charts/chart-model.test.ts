import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ChartMetric } from "@/lib/charts/chart-definition";
import { type ChartSubject, chartModel, metricText } from "@/lib/charts/chart-model";
import type { ChartRow } from "@/lib/charts/chart-result";
import type { ChartColumn } from "@/lib/charts/chart-source";
import { chartSummary } from "@/lib/charts/chart-summary";
import type { TimeUnit } from "@/lib/charts/chart-words";
import { deriveNumbers } from "@/lib/charts/derive-numbers";
import { chartDisplaySchema } from "@/lib/charts/display";
import { metricLabel } from "@/lib/charts/metric-label";
import { formatOf } from "@/lib/format/format-of";

const losAngeles = formatOf({ locale: "en-US", timeZone: "America/Los_Angeles" });
beforeAll(() => vi.setSystemTime("2026-12-01T12:00:00Z"));
afterAll(() => vi.useRealTimers());

const columns: ChartColumn[] = [
  { name: "county", label: "County", type: "text" },
  { name: "city", label: "City", type: "text" },
  { name: "day", label: "Day of entry", type: "date" },
  { name: "line", label: "Line", type: "number" },
];
const count: ChartMetric = { key: "n", aggregation: "count" };
const average: ChartMetric = { key: "a", aggregation: "avg", column: "line" };

function subject(
  kind: ChartSubject["kind"],
  groupBy: string,
  rows: [group: ChartRow["group"], values: Record<string, number | null>][],
  metrics = [count],
): ChartSubject {
  return {
    kind,
    columns,
    format: losAngeles,
    result: {
      source: "signatures",
      groupBy,
      metrics,
      rows: rows.map(([group, values]) => ({ key: Object.values(group).join("|||"), group, values })),
      recordCount: 0,
      groupCount: rows.length,
      generatedAt: "2026-11-20T10:00:00Z",
    },
  };
}
const drawn = ({ points }: ReturnType<typeof chartModel>) => points.map(({ label, values }) => [label, ...values]);
const counties = (total: number, metric = "n") =>
  Array.from({ length: total }, (_, index): [ChartRow["group"], Record<string, number>] => [
    { county: `County ${String(index).padStart(2, "0")}` },
    { [metric]: 100 - index },
  ]);

describe("bars", () => {
  it("are ordered by size; what is not given comes last, and is told from an empty text", () => {
    const model = chartModel(
      subject("bar", "county", [
        [{ county: "" }, { n: 2 }],
        [{ county: "King" }, { n: 7 }],
        [{ county: null }, { n: 9 }],
      ]),
    );
    expect(drawn(model)).toEqual([
      ["King", 7],
      ["empty text", 2],
      ["not given", 9],
    ]);
    expect(model).toMatchObject({ ordered: false, stacked: false, notes: [] });
    expect(model.points.map(({ cells }) => cells)).toEqual([
      [{ group: { county: "King" }, metricKey: "n" }],
      [{ group: { county: "" }, metricKey: "n" }],
      [{ group: { county: null }, metricKey: "n" }],
    ]);
  });

  it("beyond what there is room for are folded into one, with their count, and open nothing", () => {
    const model = chartModel(subject("bar", "county", counties(13)), 10);
    expect(model.points).toHaveLength(10);
    expect(model.points.at(-1)).toMatchObject({
      label: "other (4 groups)",
      folded: 4,
      values: [91 + 90 + 89 + 88],
      cells: [null],
    });
  });

  it("what is not given is never folded", () => {
    const rows = counties(13);
    const model = chartModel(subject("bar", "county", [...rows, [{ county: null }, { n: 1 }]]), 5);
    expect(model.points.map(({ label }) => label).slice(-2)).toEqual(["not given", "other (10 groups)"]);
  });

  it("an average of averages is not drawn; a note says where the numbers are", () => {
    const model = chartModel(subject("bar", "county", counties(13, "a"), [average]), 10);
    expect(model.points).toHaveLength(9);
    expect(model.points.every(({ folded }) => folded === 0)).toBe(true);
    expect(model.notes).toEqual(["4 more groups only in the table."]);
  });

  it.each([
    ["min", 88],
    ["max", 91],
    ["sum", 358],
  ] as const)("%s is folded by its own rule", (aggregation, expected) => {
    const metric: ChartMetric = { key: "n", aggregation, column: "line" };
    const model = chartModel(subject("bar", "county", counties(13), [metric]), 10);
    expect(model.points.at(-1)?.values).toEqual([expected]);
  });

  it("folding loses and doubles nothing", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 60 }),
        fc.integer({ min: 2, max: 20 }),
        (sizes, most) => {
          const rows = sizes.map((n, index): [ChartRow["group"], { n: number }] => [{ county: `c${index}` }, { n }]);
          const { points } = chartModel(subject("bar", "county", rows), most);
          expect(points.length).toBeLessThanOrEqual(most);
          expect(points.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(sizes.reduce((a, b) => a + b, 0));
          expect(points.reduce((sum, { folded }) => sum + (folded || 1), 0)).toBe(sizes.length);
        },
      ),
    );
  });

  it("of decimals stay exact when they are folded", () => {
    const metric: ChartMetric = { key: "n", aggregation: "sum", column: "line" };
    const rows = Array.from({ length: 12 }, (_, index): [ChartRow["group"], { n: number }] => [
      { county: `c${index}` },
      { n: 0.1 },
    ]);
    expect(chartModel(subject("bar", "county", rows, [metric]), 3).points.at(-1)?.values).toEqual([1]);
  });

  it("of days follow one another, with the days between on which there was nothing", () => {
    const model = chartModel(
      subject("bar", "day", [
        [{ day: "2026-11-01" }, { n: 3 }],
        [{ day: "2026-11-02" }, { n: 9 }],
        [{ day: "2026-11-04" }, { n: 1 }],
        [{ day: null }, { n: 5 }],
      ]),
    );
    expect(model.ordered).toBe(true);
    expect(drawn(model)).toEqual([
      ["Nov 1, 2026", 3],
      ["Nov 2, 2026", 9],
      ["Nov 3, 2026", 0],
      ["Nov 4, 2026", 1],
      ["not given", 5],
    ]);
    expect(model.points[0]?.axisLabel).toBe("Nov 1");
  });

  it("of very many days keep the latest, and fold the earlier ones", () => {
    const rows = Array.from({ length: 200 }, (_, index): [ChartRow["group"], { n: number }] => [
      { day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10) },
      { n: 1 },
    ]);
    const { points } = chartModel(subject("bar", "day", rows));
    expect(points).toHaveLength(120);
    expect(points[0]).toMatchObject({ label: "81 earlier groups", values: [81] });
    expect(points.at(-1)?.label).toBe("Jul 19, 2026");
  });
});

describe("lines", () => {
  it("fall to nothing on days without a record, and stop where there is no average", () => {
    const rows: Parameters<typeof subject>[2] = [
      [{ day: "2026-11-01" }, { n: 3, a: 2.5 }],
      [{ day: "2026-11-03" }, { n: 1, a: 4 }],
      [{ day: "2026-11-04" }, { n: 2, a: null }],
    ];
    expect(drawn(chartModel(subject("line", "day", rows, [count, average])))).toEqual([
      ["Nov 1, 2026", 3, 2.5],
      ["Nov 2, 2026", 0, null],
      ["Nov 3, 2026", 1, 4],
      ["Nov 4, 2026", 2, null],
    ]);
  });

  it("weeks are not filled up with days", () => {
    const weeks = ["2026-11-02", "2026-11-09", "2026-11-23"];
    const model = chartModel(
      subject(
        "line",
        "day",
        weeks.map((day) => [{ day }, { n: 1 }]),
      ),
    );
    expect(drawn(model)).toEqual([
      ["Nov 2, 2026", 1],
      ["Nov 9, 2026", 1],
      ["Nov 16, 2026", 0],
      ["Nov 23, 2026", 1],
    ]);
  });

  it.each<[TimeUnit, (string | number)[], string[]]>([
    ["day", ["2026-11-01", "2026-11-03"], ["Nov 1, 2026", "Nov 2, 2026", "Nov 3, 2026"]],
    ["week", ["2026-10-26", "2026-11-09"], ["Week of Oct 26, 2026", "Week of Nov 2, 2026", "Week of Nov 9, 2026"]],
    ["month", ["2026-01-01", "2026-03-01"], ["January 2026", "February 2026", "March 2026"]],
    ["weekday", [1, 3], ["Monday", "Tuesday", "Wednesday"]],
    ["hour", [11, 13], ["11 AM", "12 PM", "1 PM"]],
  ])("are drawn by %s, those without a record too", (unit, places, labels) => {
    const rows = places.map((at): [ChartRow["group"], Record<string, number>] => [{ at }, { n: 2 }]);
    const type = unit === "weekday" || unit === "hour" ? "number" : "date";
    const column: ChartColumn = { name: "at", label: "At", type, part: { of: "entered_at", unit } };
    for (const kind of ["line", "bar"] as const) {
      const model = chartModel({ ...subject(kind, "at", rows), columns: [column] });
      expect(drawn(model)).toEqual(labels.map((label, index) => [label, index === 1 ? 0 : 2]));
    }
  });

  it("keep two moments of one millisecond, and say so of what is no moment on a calendar", () => {
    const moments = ["2026-11-01T10:00:00.000001+00:00", "2026-11-01T10:00:00.000002+00:00", "infinity"];
    const rows = moments.map((at, index): [ChartRow["group"], Record<string, number>] => [{ at }, { n: index + 1 }]);
    const entered: ChartColumn = { name: "at", label: "Moment of entry", type: "time" };
    const model = chartModel({ ...subject("line", "at", rows), columns: [entered] });
    expect(model.points.map(({ values }) => values)).toEqual([[1], [2]]);
    expect(model.notes).toEqual(["Without “Moment of entry”: only in the table."]);
  });

  it("leave out what has no day, and say so", () => {
    const model = chartModel(
      subject("line", "day", [
        [{ day: "2026-11-01" }, { n: 3 }],
        [{ day: null }, { n: 4 }],
      ]),
    );
    expect(drawn(model)).toEqual([["Nov 1, 2026", 3]]);
    expect(model.notes).toEqual(["Without “Day of entry”: only in the table."]);
  });

  it("one for each group of the other columns, the largest first; the rest are one line", () => {
    const rows = ["2026-11-01", "2026-11-02"].flatMap((day) =>
      Array.from({ length: 9 }, (_, index): [ChartRow["group"], { n: number }] => [
        { day, county: `c${index}` },
        { n: 10 * (index + 1) },
      ]),
    );
    const model = chartModel(subject("line", "day,county", rows));
    expect(model.series.map(({ label }) => label)).toEqual(["c8", "c7", "c6", "c5", "c4", "c3", "other (3 groups)"]);
    expect(new Set(model.series.map(({ color }) => color)).size).toBe(7);
    expect(model.points.map(({ values }) => values)).toEqual([
      [90, 80, 70, 60, 50, 40, 60],
      [90, 80, 70, 60, 50, 40, 60],
    ]);
    expect(model.points[0]?.cells.at(0)).toEqual({ group: { day: "2026-11-01", county: "c8" }, metricKey: "n" });
    expect(model.points[0]?.cells.at(-1)).toBeNull();
  });
});

describe("stacked bars and areas", () => {
  const rows: Parameters<typeof subject>[2] = [
    [{ county: "King", city: "Kent" }, { n: 2 }],
    [{ county: "King", city: null }, { n: 1 }],
    [{ county: "Pierce", city: "Kent" }, { n: 9 }],
  ];

  it("have a part for each group of the other columns; the largest whole comes first", () => {
    const model = chartModel(subject("stacked-bar", "county,city", rows));
    expect(model.stacked).toBe(true);
    expect(model.series.map(({ label }) => label)).toEqual(["Kent", "not given"]);
    expect(drawn(model)).toEqual([
      ["Pierce", 9, 0],
      ["King", 2, 1],
    ]);
    expect(model.points[0]?.cells).toEqual([{ group: { county: "Pierce", city: "Kent" }, metricKey: "n" }, null]);
  });

  it("groups that share a joined key stay two", () => {
    const model = chartModel(
      subject("bar", "county,city", [
        [{ county: "a|||b", city: "c" }, { n: 1 }],
        [{ county: "a", city: "b|||c" }, { n: 2 }],
      ]),
    );
    expect(drawn(model)).toEqual([
      ["a · b|||c", 2],
      ["a|||b · c", 1],
    ]);
    expect(new Set(model.points.map(({ id }) => id)).size).toBe(2);
  });

  it("areas of averages are not put upon one another", () => {
    const day: Parameters<typeof subject>[2] = [
      [
        { day: "2026-11-01", county: "King" },
        { n: 1, a: 2 },
      ],
    ];
    expect(chartModel(subject("area", "day,county", day)).stacked).toBe(true);
    expect(chartModel(subject("area", "day,county", day, [average])).stacked).toBe(false);
  });

  it.each<ChartMetric["aggregation"]>(["avg", "min", "max"])(
    "%s: bars stand side by side, and say why",
    (aggregation) => {
      const metric: ChartMetric = { key: "n", aggregation, column: "line" };
      expect(chartModel(subject("stacked-bar", "county,city", rows, [metric]))).toMatchObject({
        stacked: false,
        notes: ["Only counts and sums are parts of a whole: compare these numbers one by one."],
      });
    },
  );
});

describe("pies", () => {
  it("leave out what is no part of a whole, and say so", () => {
    const model = chartModel(
      subject("pie", "county", [
        [{ county: "King" }, { n: 3 }],
        [{ county: "Pierce" }, { n: 0 }],
        [{ county: "Clark" }, { n: null }],
        [{ county: "Grant" }, { n: -4 }],
      ]),
    );
    expect(drawn(model)).toEqual([["King", 3]]);
    expect(model.notes).toEqual(["3 more groups only in the table. A slice needs a number above 0."]);
  });

  it("have a colour for each slice; beyond six, the smallest are one", () => {
    expect(chartModel(subject("pie", "county", counties(6))).points.map(({ folded }) => folded)).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
    expect(chartModel(subject("pie", "county", counties(7))).points.at(-1)).toMatchObject({
      folded: 2,
      values: [94 + 95],
    });
  });

  it("of averages are no parts of a whole, and say so", () => {
    expect(chartModel(subject("pie", "county", counties(2))).stacked).toBe(true);
    expect(chartModel(subject("pie", "county", counties(2, "a"), [average]))).toMatchObject({
      stacked: false,
      notes: ["Only counts and sums are parts of a whole: compare these numbers one by one."],
    });
  });

  it("show the first measure alone", () => {
    const model = chartModel(subject("pie", "county", [[{ county: "King" }, { n: 3, a: 1 }]], [count, average]));
    expect(model.series.map(({ label }) => label)).toEqual(["Count"]);
    expect(model.notes).toEqual(["1 more measure only in the table."]);
  });
});

it("days and moments as measures are written, not drawn", () => {
  const last: ChartMetric = { key: "l", aggregation: "max", column: "day" };
  const model = chartModel(subject("bar", "county", [[{ county: "King" }, { n: 3, l: 0 }]], [count, last]));
  expect(model.series.map(({ id }) => id)).toEqual(["n"]);
  expect(metricText(Date.UTC(2026, 10, 3), last, columns, losAngeles)).toBe("Nov 3, 2026");
  expect(metricText(null, last, columns, losAngeles)).toBe("no value");
});

it("a measure without a name is called by what it computes", () => {
  expect(metricLabel(count, columns)).toBe("Count");
  expect(metricLabel(average, columns)).toBe("Average of line");
  const where = (operator: "eq" | "in" | "gt", value: string | number | string[]) =>
    metricLabel({ key: "n", aggregation: "count", segment: [{ column: "line", operator, value }] }, columns);
  expect(where("eq", "accepted")).toBe("Count, accepted");
  expect(where("in", ["accepted", "blank"])).toBe("Count, accepted or blank");
  expect(where("gt", 7)).toBe("Count, by line");
  expect(metricLabel({ ...average, label: "Mean" }, columns)).toBe("Mean");
});

it("a drawing is told in one sentence to those who hear it", () => {
  const model = chartModel(subject("bar", "county", counties(3)));
  expect(chartSummary("Signatures", model, losAngeles)).toBe(
    "Signatures: bar chart of Count, 3 places. The largest: County 00, 100. The table has all numbers.",
  );
});

describe("what is derived", () => {
  const week: ChartColumn = { name: "week", label: "By week", type: "date", part: { of: "day", unit: "week" } };
  const display = (given: object) => chartDisplaySchema.parse(given);
  const derive = ({ result, columns: all, ...of }: ChartSubject, given: object): ChartSubject => ({
    ...of,
    columns: [...all, week],
    result: deriveNumbers(result, display(given), [...all, week]),
  });

  it("is drawn with what has its unit alone, and has no records of its own", () => {
    const given = {
      derived: [{ key: "r", kind: "rate", of: "a", over: "n", format: "percent" }],
      goal: { value: 0.9 },
    };
    const rows = [[{ county: "King" }, { n: 4, a: 1 }]] satisfies Parameters<typeof subject>[2];
    const counts = [count, { key: "a", aggregation: "count" } as const];
    const both = chartModel(derive(subject("bar", "county", rows, counts), given));
    expect(both).toMatchObject({ unit: "number", notes: ["1 more measure only in the table."] });
    const rate = derive(subject("bar", "county", rows, counts), { ...given, hidden: ["n", "a"] });
    const model = chartModel(rate);
    expect(drawn(model)).toEqual([["King", 0.25]]);
    expect(model).toMatchObject({ unit: "percent", goal: { value: 0.9, label: "Goal" }, notes: [] });
    expect(model.points[0]?.cells).toEqual([null]);
    expect(chartSummary("Valid", model, losAngeles)).toBe(
      "Valid: bar chart of Count / Count, 1 place. The largest: King, 25%. Goal: 90%. The table has all numbers.",
    );
  });

  it("a sum so far goes on over weeks in which there was nothing, in each line", () => {
    const rows: Parameters<typeof subject>[2] = [
      [{ week: "2026-11-02", county: "King" }, { n: 1 }],
      [{ week: "2026-11-02", county: "Pierce" }, { n: 5 }],
      [{ week: "2026-11-16", county: "King" }, { n: 2 }],
    ];
    const given = { derived: [{ key: "c", kind: "cumulated", of: "n" }], hidden: ["n"] };
    expect(drawn(chartModel(derive(subject("line", "week,county", rows), given)))).toEqual([
      ["Week of Nov 2, 2026", 5, 1],
      ["Week of Nov 9, 2026", 5, 1],
      ["Week of Nov 16, 2026", 5, 3],
    ]);
  });

  it("weeks follow the calendar, whatever the order of the table", () => {
    const rows: Parameters<typeof subject>[2] = [
      [{ week: "2026-11-02" }, { n: 1 }],
      [{ week: "2026-11-16" }, { n: 2 }],
    ];
    for (const kind of ["bar", "line"] as const) {
      const given = { order: { by: "n", descending: true } };
      expect(drawn(chartModel(derive(subject(kind, "week", rows), given)))).toEqual([
        ["Week of Nov 2, 2026", 1],
        ["Week of Nov 9, 2026", 0],
        ["Week of Nov 16, 2026", 2],
      ]);
    }
  });

  it("the rest comes last in every order, and there are no records of one group behind it", () => {
    const given = { top: { column: "county", count: 2 }, order: { by: "n", descending: false } };
    const model = chartModel(derive(subject("bar", "county", counties(5)), given));
    expect(drawn(model)).toEqual([
      ["County 01", 99],
      ["County 00", 100],
      ["other (3)", 291],
    ]);
    expect(model.points.map(({ folded, cells }) => [folded, cells[0] === null])).toEqual([
      [0, false],
      [0, false],
      [3, true],
    ]);
  });
});
