import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type ChartMetric, chartDisplaySchema } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { type Aggregation, aggregationNames, type TimeUnit } from "@/lib/charts/definition/words";
import { metricLabel, metricText } from "@/lib/charts/display/chart-text";
import { sliceColor } from "@/lib/charts/display/colors";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";
import { type ChartSubject, chartModel, chartSummary, onAxis } from "@/lib/charts/display/model";
import { formatOf } from "@/lib/format/format-of";
import { type Cell, resultOf } from "../../support/chart-result.ts";

const losAngeles = formatOf({ locale: "en-US", timeZone: "America/Los_Angeles" });
vi.setSystemTime("2026-12-01T12:00:00Z");

const columns: ChartColumn[] = [
  { name: "county", label: "County", type: "text" },
  { name: "city", label: "City", type: "text" },
  { name: "day", label: "Day of entry", type: "date" },
  { name: "week", label: "By week", type: "date", part: { of: "day", unit: "week" } },
  { name: "at", label: "Moment of entry", type: "time" },
  { name: "line", label: "Line", type: "number" },
];
const count: ChartMetric = { key: "n", aggregation: "count" };
const average: ChartMetric = { key: "a", aggregation: "avg", column: "line" };
const ofLines = (aggregation: Aggregation): ChartMetric => ({ key: "n", aggregation, column: "line" });

type Kind = ChartSubject["kind"];
function subject(kind: Kind, groupBy: string, rows: Cell[][], metrics = [count]) {
  return { kind, columns, format: losAngeles, result: resultOf(groupBy, metrics, rows) } satisfies ChartSubject;
}
const model = (...args: Parameters<typeof subject>) => chartModel(subject(...args));
const texts = ({ points }: ReturnType<typeof chartModel>) =>
  points.map(({ label, values }) => `${label}: ${values.map((value) => value ?? "none").join(", ")}`);
const counties = (total: number) =>
  Array.from({ length: total }, (_, index) => [`County ${String(index).padStart(2, "0")}`, 100 - index]);
const notAWhole = ["These numbers don't add up to a whole. Compare them one by one."];

it("marks the day, week or month that isn't over", () => {
  const days = ["2026-11-18", "2026-11-19", "2026-11-20"].map((day, index) => [day, index]);
  const line = model("line", "day", days);
  expect(texts(line)).toEqual(["Nov 18, 2026: 0", "Nov 19, 2026: 1", "Nov 20, 2026, so far: 2"]);
  expect(line.notes).toEqual(["Nov 20, 2026 is still in progress."]);
  expect(model("line", "day", days.slice(0, 2)).notes).toEqual([]);
});

it("draws zero up to the end of a filtered range, but not after its numbers were read", () => {
  const upTo = (value: string) => {
    const filters = [{ column: "day", operator: "lte" as const, value }];
    return texts(
      chartModel({
        ...subject("line", "day", [
          ["2026-11-17", 4],
          ["2026-11-18", 5],
        ]),
        filters,
      }),
    ).slice(2);
  };
  expect(upTo("2026-11-19")).toEqual(["Nov 19, 2026: 0"]);
  expect(upTo("2026-11-30")).toEqual(["Nov 19, 2026: 0", "Nov 20, 2026, so far: 0"]);
});

it("says how many records without a group the rates of groups leave out", () => {
  const rate = { key: "r", kind: "rate" as const, of: "a", over: "n", format: "percent" as const };
  const display = chartDisplaySchema.parse({ derived: [rate], hidden: ["n", "a"] });
  const rates = (rows: Cell[][]) => {
    const input = subject("bar", "county", rows, [count, { ...count, key: "a" }]);
    return chartModel({ ...input, result: deriveNumbers(input.result, display, columns) }).notes;
  };
  const king = ["King", 10, 9];
  expect(rates([king, [null, 4, 0]])).toEqual(["Not in the other rates: 4 signatures with no county."]);
  expect(rates([king])).toEqual([]);
});

it("says of numbers per 100 what they are per, unless a legend does", () => {
  const voters: ChartMetric = { key: "v", aggregation: "registered" };
  const rate = { key: "r", kind: "rate" as const, of: "n", over: "v", format: "per100" as const };
  const notes = (...derived: object[]) => {
    const input = subject("bar", "county", [["King", 10, 200]], [count, voters]);
    const display = chartDisplaySchema.parse({ derived, hidden: ["n", "v"] });
    return chartModel({ ...input, result: deriveNumbers(input.result, display, columns) }).notes;
  };
  expect(notes(rate)).toEqual(["Signatures per 100 registered voters."]);
  expect(notes(rate, { ...rate, key: "q" })).toEqual([]);
});

it("begins the axis at zero, except for a line", () => {
  const kinds: Kind[] = ["line", "area", "bar", "stacked-bar"];
  const axes = kinds.map((kind) => {
    const input = subject(kind, "day", [["2026-11-18", 5]]);
    return chartModel({ ...input, result: { ...input.result, axis: { min: 4, max: 9 } } }).axis;
  });
  expect(axes).toEqual([{ min: 4, max: 9 }, { max: 9 }, { max: 9 }, { max: 9 }]);
});

it("writes counts without decimals, and other numbers with as many as are asked for", () => {
  const exact = formatOf({ locale: "en-US", timeZone: "UTC" }, 2);
  const change = { key: "d", kind: "change" as const, of: "n", format: "number" as const };
  const metrics = [count, { ...count, derived: change }, average];
  expect(metrics.map((metric) => metricText(8_598, metric, columns, exact))).toEqual(["8,598", "+8,598", "8,598.00"]);
  const unit = (...all: ChartMetric[]) => model("bar", "county", [["King", 1, 2]], all).unit;
  expect([unit(count), unit(average), unit(count, average)]).toEqual(["whole", "number", "number"]);
});

it("gives a status the same color in each chart, whatever else is shown", () => {
  const status: ChartColumn = { name: "verdict", label: "Status", type: "text" };
  const colorsOf = (kind: Kind, ...names: string[]) => {
    const groupBy = kind === "pie" ? "verdict" : "county,verdict";
    const rows = names.map((name, index) => [...(kind === "pie" ? [] : ["King"]), name, 9 - index]);
    const { points, series } = chartModel({ ...subject(kind, groupBy, rows), columns: [...columns, status] });
    return kind === "pie" ? points.map(sliceColor) : series.map(({ color }) => color);
  };
  const [valid, duplicate, notFound, other] = [1, 2, 3, 8].map((number) => `var(--chart-${number})`);
  for (const kind of ["pie", "stacked-bar"] as const) {
    expect(colorsOf(kind, "accepted", "duplicate", "not-found")).toEqual([valid, duplicate, notFound]);
    expect(colorsOf(kind, "not-found", "other", "accepted")).toEqual([notFound, other, valid]);
    expect(colorsOf(kind, "from elsewhere")).toEqual(["var(--chart-other)"]);
  }
});

describe("bars", () => {
  it("are ordered by size, with the missing value last and apart from an empty text", () => {
    const bars = model("bar", "county", [
      ["", 2],
      ["King", 7],
      [null, 9],
    ]);
    expect(texts(bars)).toEqual(["King: 7", "empty text: 2", "No county: 9"]);
    expect(bars).toMatchObject({ hasOrder: false, stacked: false, notes: [] });
    const cells = ["King", "", null].map((county) => [{ group: { county }, metricKey: "n" }]);
    expect(bars.points.map((point) => point.cells)).toEqual(cells);
    expect(model("bar", "county", [["King", 0]]).points[0]?.cells).toEqual([null]); // it has no records to show
  });

  it.each<[Aggregation, number | undefined]>([
    ["count", 91 + 90 + 89 + 88],
    ["sum", 91 + 90 + 89 + 88],
    ["min", 88],
    ["max", 91],
  ])("%s: extra groups are combined into one with their count and without records", (rows, folded) => {
    const { points } = chartModel(subject("bar", "county", counties(13), [ofLines(rows)]), 10);
    expect(points).toHaveLength(10);
    const other = { label: "Other (4 groups)", folded: 4, values: [folded], cells: [null] };
    expect(points.at(-1)).toMatchObject(other);
  });

  it("leave out an average of averages, and a note says where the numbers are", () => {
    const { points, notes } = chartModel(subject("bar", "county", counties(13), [average]), 10);
    expect(points.map(({ folded }) => folded)).toEqual(Array(9).fill(0));
    expect(notes).toEqual(["4 more groups are only in the table."]);
  });

  it("leave no room for measures that aren't drawn, or are dots", () => {
    const rate = { key: "r", kind: "rate" as const, of: "b", over: "n", format: "percent" as const };
    const shown = (display: object) => {
      const input = subject("bar", "county", counties(10), [count, { ...count, key: "b" }]);
      const parsed = chartDisplaySchema.parse({ derived: [rate], ...display });
      return chartModel({ ...input, result: deriveNumbers(input.result, parsed, columns) }).points.length;
    };
    expect(shown({})).toBe(5);
    expect(shown({ hidden: ["b"] })).toBe(10);
    expect(shown({ hidden: ["b"], axis: { right: { keys: ["r"] } } })).toBe(10);
  });

  it("never combine the missing value with others", () => {
    const { points } = chartModel(subject("bar", "county", [...counties(13), [null, 1]]), 5);
    expect(points.map(({ label }) => label).slice(-2)).toEqual(["No county", "Other (10 groups)"]);
  });

  it("lose and double nothing when groups are combined", () => {
    const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
    const sizes = fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 60 });
    const isWhole = fc.property(sizes, fc.integer({ min: 2, max: 20 }), (numbers, most) => {
      const rows = numbers.map((n, index) => [`c${index}`, n]);
      const { points } = chartModel(subject("bar", "county", rows), most);
      expect(points.length).toBeLessThanOrEqual(most);
      expect(sum(points.map(({ values }) => values[0] ?? 0))).toBe(sum(numbers));
      expect(sum(points.map(({ folded }) => folded || 1))).toBe(numbers.length);
    });
    fc.assert(isWhole);
  });

  it("keep decimals exact when groups are combined", () => {
    const rows = Array.from({ length: 12 }, (_, index) => [`c${index}`, 0.1]);
    expect(chartModel(subject("bar", "county", rows, [ofLines("sum")]), 3).points.at(-1)?.values).toEqual([1]);
  });

  it("show consecutive days, with the days between that had nothing", () => {
    const days = Object.entries({ "2026-11-01": 3, "2026-11-02": 9, "2026-11-04": 1 });
    const bars = model("bar", "day", [...days, [null, 5]]);
    expect(bars.hasOrder).toBe(true);
    expect(texts(bars)).toEqual([
      "Nov 1, 2026: 3",
      "Nov 2, 2026: 9",
      "Nov 3, 2026: 0",
      "Nov 4, 2026: 1",
      "No day of entry: 5",
    ]);
    expect(bars.points[0]?.axisLabel).toBe("Nov 1");
  });

  it("show the latest of very many days, and combine the earlier ones", () => {
    const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
    const { points } = model(
      "bar",
      "day",
      Array.from({ length: 200 }, (_, index) => [day(index), 1]),
    );
    expect(points).toHaveLength(120);
    expect(points[0]).toMatchObject({ label: "81 earlier groups", values: [81] });
    expect(points.at(-1)?.label).toBe("Jul 19, 2026");
  });
});

describe("lines", () => {
  it("fall to zero on days without a record, and stop where there is no average", () => {
    const rows = [
      ["2026-11-01", 3, 2.5],
      ["2026-11-03", 1, 4],
      ["2026-11-04", 2, null],
    ];
    expect(texts(model("line", "day", rows, [count, average]))).toEqual([
      "Nov 1, 2026: 3, 2.5",
      "Nov 2, 2026: 0, none",
      "Nov 3, 2026: 1, 4",
      "Nov 4, 2026: 2, none",
    ]);
  });

  it("don't fill weeks with days", () => {
    const weeks = ["2026-11-02", "2026-11-09", "2026-11-23"].map((day) => [day, 1]);
    const shown = ["Nov 2, 2026: 1", "Nov 9, 2026: 1", "Nov 16, 2026: 0", "Nov 23, 2026: 1"];
    expect(texts(model("line", "day", weeks))).toEqual(shown);
  });

  it.each<[TimeUnit, (string | number)[], string[]]>([
    ["day", ["2026-11-01", "2026-11-03"], ["Nov 1, 2026", "Nov 2, 2026", "Nov 3, 2026"]],
    ["week", ["2026-10-26", "2026-11-09"], ["Week of Oct 26, 2026", "Week of Nov 2, 2026", "Week of Nov 9, 2026"]],
    ["month", ["2026-01-01", "2026-03-01"], ["January 2026", "February 2026", "March 2026"]],
    ["weekday", [1, 3], ["Monday", "Tuesday", "Wednesday"]],
    ["hour", [11, 13], ["11 AM", "12 PM", "1 PM"]],
  ])("are drawn by %s, including those without a record", (unit, places, labels) => {
    const type = unit === "weekday" || unit === "hour" ? "number" : "date";
    const column: ChartColumn = { name: "part", label: "At", type, part: { of: "entered_at", unit } };
    for (const kind of ["line", "bar"] as const) {
      const input = subject(
        kind,
        "part",
        places.map((place) => [place, 2]),
      );
      expect(texts(chartModel({ ...input, columns: [column] }))).toEqual(
        labels.map((label, index) => `${label}: ${index === 1 ? 0 : 2}`),
      );
    }
  });

  it("keep two times within a millisecond, and note those outside the calendar", () => {
    const moments = ["2026-11-01T10:00:00.000001+00:00", "2026-11-01T10:00:00.000002+00:00", "infinity", null];
    const { points, notes } = model(
      "line",
      "at",
      moments.map((moment, index) => [moment, index + 1]),
    );
    expect(points.map(({ values }) => values)).toEqual([[1], [2]]);
    expect(notes).toEqual(["Signatures without “Moment of entry” appear only in the table."]);
  });

  it("have one line per group of the other columns, the largest first, and one line for the others", () => {
    const rows = ["2026-11-01", "2026-11-02"].flatMap((day) =>
      Array.from({ length: 9 }, (_, index) => [day, `c${index}`, 10 * (index + 1)]),
    );
    const { series, points } = model("line", "day,county", rows);
    expect(series.map(({ label }) => label)).toEqual(["c8", "c7", "c6", "c5", "c4", "c3", "Other (3 groups)"]);
    expect(new Set(series.map(({ color }) => color)).size).toBe(7);
    expect(points.map(({ values }) => values)).toEqual(Array(2).fill([90, 80, 70, 60, 50, 40, 60]));
    expect(points[0]?.cells.at(0)).toEqual({ group: { day: "2026-11-01", county: "c8" }, metricKey: "n" });
    expect(points[0]?.cells.at(-1)).toBeNull();
  });
});

describe("stacked bars and areas", () => {
  const rows = [
    ["King", "Kent", 2],
    ["King", null, 1],
    ["Pierce", "Kent", 9],
  ];

  it("have a part for each group of the other columns, the largest total first", () => {
    const bars = model("stacked-bar", "county,city", rows);
    expect(bars.stacked).toBe(true);
    expect(bars.series.map(({ label }) => label)).toEqual(["Kent", "No city"]);
    expect(texts(bars)).toEqual(["Pierce: 9, 0", "King: 2, 1"]);
    expect(bars.points[0]?.cells).toEqual([{ group: { county: "Pierce", city: "Kent" }, metricKey: "n" }, null]);
  });

  it("have zero as the other groups of a bar without any, so that its total is drawn", () => {
    const cities = Array.from({ length: 9 }, (_, index) => ["King", `City ${index}`, 9]);
    const { points, series } = model("stacked-bar", "county,city", [...cities, ["Pierce", "City 0", 50]]);
    expect(series.at(-1)?.label).toBe("Other (3 groups)");
    expect(points.map(({ label, values }) => [label, values.at(-1)])).toEqual([
      ["King", 27],
      ["Pierce", 0],
    ]);
  });

  it("keep groups apart that share a joined key", () => {
    const bars = model("bar", "county,city", [
      ["a|||b", "c", 1],
      ["a", "b|||c", 2],
    ]);
    expect(texts(bars)).toEqual(["a · b|||c: 2", "a|||b · c: 1"]);
    expect(new Set(bars.points.map(({ id }) => id)).size).toBe(2);
  });

  it.each(aggregationNames)("%s: only parts of a whole are stacked, otherwise a note says why", (aggregation) => {
    const isWhole = aggregation === "count" || aggregation === "sum";
    const expected = { stacked: isWhole, notes: isWhole ? [] : notAWhole };
    const ofDays = [["2026-11-01", "King", 2]];
    expect(model("stacked-bar", "county,city", rows, [ofLines(aggregation)])).toMatchObject(expected);
    expect(model("area", "day,county", ofDays, [ofLines(aggregation)])).toMatchObject(expected);
    expect(model("pie", "county", counties(2), [ofLines(aggregation)])).toMatchObject(expected);
  });
});

describe("pies", () => {
  it("leave out what isn't part of a whole, with a note", () => {
    const pie = model("pie", "county", Object.entries({ King: 3, Pierce: 0, Clark: null, Grant: -4 }));
    expect(texts(pie)).toEqual(["King: 3"]);
    expect(pie.notes).toEqual(["3 more groups are only in the table. Slices need a value above 0."]);
  });

  it("have a color per slice, and combine the smallest after six", () => {
    expect(model("pie", "county", counties(7)).points.map(({ folded }) => folded)).toEqual(Array(7).fill(0));
    expect(model("pie", "county", counties(8)).points.at(-1)).toMatchObject({ folded: 2, values: [93 + 94] });
  });

  it("show only the first measure", () => {
    const { series, notes } = model("pie", "county", [["King", 3, 1]], [count, average]);
    expect(series.map(({ label }) => label)).toEqual(["Signatures"]);
    expect(notes).toEqual(["1 more measure is only in the table."]);
  });
});

it("writes dates and times as measures instead of drawing them", () => {
  const last: ChartMetric = { key: "l", aggregation: "max", column: "day" };
  expect(model("bar", "county", [["King", 3, 0]], [count, last]).series.map(({ id }) => id)).toEqual(["n"]);
  expect(metricText(Date.UTC(2026, 10, 3), last, columns, losAngeles)).toBe("Nov 3, 2026");
  expect(metricText(null, last, columns, losAngeles)).toBe("no value");
});

it.each<[string, ChartMetric]>([
  ["Signatures", count],
  ["Average of line", average],
  ["Signatures with city", { ...count, column: "city" }],
  ["Latest day of entry", { ...count, aggregation: "max", column: "day" }],
  ["Unique cities", { ...count, aggregation: "distinct", column: "city" }],
  ["Unique lines", { ...count, aggregation: "distinct", column: "line" }],
  ["Unique values of day of entry", { ...count, aggregation: "distinct", column: "day" }],
  ["Mean", { ...average, label: "Mean" }],
  ["Accepted signatures", { ...count, segment: [{ column: "line", operator: "eq", value: "accepted" }] }],
  ["A or b signatures", { ...count, segment: [{ column: "line", operator: "in", value: ["a", "b"] }] }],
  [
    "A or b or c or 2 more signatures",
    { ...count, segment: [{ column: "line", operator: "in", value: [..."abcde"] }] },
  ],
  ["Line signatures", { ...count, segment: [{ column: "line", operator: "eq", value: true }] }],
  ["Not line signatures", { ...count, segment: [{ column: "line", operator: "eq", value: false }] }],
  ["Average of line, King", { ...average, segment: [{ column: "county", operator: "eq", value: "King" }] }],
  ["Signatures where line is more than 7", { ...count, segment: [{ column: "line", operator: "gt", value: 7 }] }],
  ["Signatures where county is not empty", { ...count, segment: [{ column: "county", operator: "neq", value: null }] }],
  [
    "King signatures where line is more than 7",
    {
      ...count,
      segment: [
        { column: "line", operator: "gt", value: 7 },
        { column: "county", operator: "eq", value: "King" },
      ],
    },
  ],
  [
    "Signatures where line is at least 3 and line is at most 5 or line is 9",
    {
      ...count,
      segment: [
        {
          any: [
            {
              all: [
                { column: "line", operator: "gte", value: 3 },
                { column: "line", operator: "lte", value: 5 },
              ],
            },
            { column: "line", operator: "eq", value: 9 },
          ],
        },
      ],
    },
  ],
])("calls a measure “%s”", (label, metric) => expect(metricLabel(metric, columns, "signatures")).toBe(label));

it("describes a chart in one sentence for screen readers", () => {
  expect(chartSummary("Signatures", model("bar", "county", counties(3)), losAngeles)).toBe(
    "Signatures: bar chart of Signatures, 3 groups. Largest: County 00, 100. The table lists all numbers.",
  );
});

describe("calculations", () => {
  function derived(display: object, ...args: Parameters<typeof subject>) {
    const { result, ...rest } = subject(...args);
    return chartModel({ ...rest, result: deriveNumbers(result, chartDisplaySchema.parse(display), columns) });
  }

  it("are drawn only with measures of the same unit; a rate has the records of its numerator, a total none", () => {
    const rate = { key: "r", kind: "rate", of: "a", over: "n", format: "percent" };
    const display = { derived: [rate], goal: { value: 0.9 } };
    const counts: ChartMetric[] = [count, { key: "a", aggregation: "count" }];
    const both = derived(display, "bar", "county", [["King", 4, 1]], counts);
    expect(both).toMatchObject({ unit: "whole", notes: ["1 more measure is only in the table."] });
    const alone = derived({ ...display, hidden: ["n", "a"] }, "bar", "county", [["King", 4, 1]], counts);
    expect(texts(alone)).toEqual(["King: 0.25"]);
    expect(alone).toMatchObject({ unit: "percent", goal: { value: 0.9, label: "Goal" }, notes: [] });
    expect(alone.points[0]?.cells).toEqual([{ group: { county: "King" }, metricKey: "a" }]);
    const total = { derived: [{ key: "t", kind: "cumulated", of: "n" }], hidden: ["n"] };
    expect(derived(total, "bar", "county", [["King", 4]]).points[0]?.cells).toEqual([null]);
    const counties = Object.entries({ Adams: 1, King: 4, Pierce: 2 });
    expect(texts(derived(total, "bar", "county", counties))).toEqual(["Adams: 1", "King: 5", "Pierce: 7"]);
    expect(chartSummary("Valid", alone, losAngeles)).toBe(
      "Valid: bar chart of Signatures / Signatures, 1 group. Largest: King, 25%. Goal: 90%. The table lists all numbers.",
    );
  });

  it("have the goal on the axis of the running totals", () => {
    const total = { key: "t", kind: "cumulated", of: "n" };
    const drawn = (right: string[]) => {
      const display = { derived: [total], goal: { value: 30_000 }, axis: { right: { keys: right } } };
      const model = derived(display, "line", "signed_on", [
        ["2026-07-01", 4],
        ["2026-07-02", 9],
      ]);
      return [false, true].map((isRight) => onAxis(model, isRight).goal?.value);
    };
    expect(drawn(["t"])).toEqual([undefined, 30_000]);
    expect(drawn(["n"])).toEqual([30_000, undefined]);
  });

  it("are drawn on a right axis with its own unit and title, where the kind of chart has one", () => {
    const rate = { key: "r", kind: "rate", of: "a", over: "n", format: "percent", label: "Validity" };
    const on = (keys: string[], title?: string) => ({ derived: [rate], axis: { right: { keys, title } } });
    const counts: ChartMetric[] = [count, { key: "a", aggregation: "count", label: "Valid" }];
    const drawn = (kind: Kind, display: object, groupBy = "county", row: Cell[] = ["King", 4, 1]) => {
      const { series, unit, axis, right, notes } = derived(display, kind, groupBy, [row], counts);
      const [onLeft, onRight] = [false, true].map((isRight) =>
        series.flatMap(({ label, onRight = false }) => (onRight === isRight ? label : [])),
      );
      return { onLeft, onRight, unit, title: axis.title, right, notes };
    };
    const both = {
      onLeft: ["Signatures", "Valid"],
      onRight: ["Validity"],
      unit: "whole",
      title: "Signatures, Valid",
      notes: [],
    };
    for (const kind of ["bar", "line", "area"] as const)
      expect(drawn(kind, on(["r"]))).toEqual({
        ...both,
        right: { unit: "percent", title: "Validity", hasGoal: false },
      });
    expect(drawn("bar", on(["r"], "Of 100")).right?.title).toBe("Of 100");
    const ends = { keys: ["r"], min: 0.5, max: 1 };
    const ended = derived({ derived: [rate], axis: { right: ends } }, "bar", "county", [["King", 4, 1]], counts);
    expect(onAxis(ended, true).axis).toMatchObject({ min: 0.5, max: 1 });
    expect(drawn("bar", on(["n", "a"]))).toMatchObject({ onLeft: ["Validity"], onRight: ["Signatures", "Valid"] });
    const single = { onLeft: ["Signatures", "Valid"], onRight: [], unit: "whole", title: undefined, right: null };
    expect(drawn("bar", on(["n", "a", "r"]))).toMatchObject(single);
    expect(drawn("stacked-bar", on(["r"]))).toMatchObject(single);
    expect(drawn("pie", on(["n"]))).toMatchObject({ onLeft: ["Signatures"], right: null });
    expect(drawn("line", on(["n"]), "week,county", ["2026-11-02", "King", 4, 1])).toMatchObject({ right: null });
    const summary = chartSummary("Both", derived(on(["n"]), "bar", "county", [["King", 4, 1]], [count]), losAngeles);
    expect(summary).toContain("Largest: King, 4.");
  });

  it("carry a running total over weeks without records, in each line", () => {
    const rows = [
      ["2026-11-02", "King", 1],
      ["2026-11-02", "Pierce", 5],
      ["2026-11-16", "King", 2],
    ];
    const display = { derived: [{ key: "c", kind: "cumulated", of: "n" }], hidden: ["n"] };
    expect(texts(derived(display, "line", "week,county", rows))).toEqual([
      "Week of Nov 2, 2026: 5, 1",
      "Week of Nov 9, 2026: 5, 1",
      "Week of Nov 16, 2026, so far: 5, 3",
    ]);
  });

  it.each(["bar", "line"] as const)("keep weeks in calendar order, whatever the order of the table: %s", (kind) => {
    const order = { by: "n", descending: true };
    const weeks = derived({ order }, kind, "week", Object.entries({ "2026-11-02": 1, "2026-11-16": 2 }));
    const inTime = ["Week of Nov 2, 2026: 1", "Week of Nov 9, 2026: 0", "Week of Nov 16, 2026, so far: 2"];
    expect(texts(weeks)).toEqual(inTime);
  });

  it("put the others last in every order, without records of one group", () => {
    const display = { top: { column: "county", count: 2 }, order: { by: "n", descending: false } };
    const bars = derived(display, "bar", "county", counties(5));
    expect(texts(bars)).toEqual(["County 01: 99", "County 00: 100", "Other (3 groups): 291"]);
    expect(bars.points.map(({ folded }) => folded)).toEqual([0, 0, 3]);
    expect(bars.points.map(({ cells }) => cells[0] === null)).toEqual([false, false, true]);
  });
});
