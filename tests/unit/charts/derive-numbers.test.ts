import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChartMetric } from "@/lib/charts/definition/definition";
import { type ChartDisplay, chartDisplaySchema } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";
import { type Cell, resultOf } from "../../support/chart-result.ts";

const columns: ChartColumn[] = [
  { name: "at", label: "At", type: "date" },
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
const hidden = metrics.map(({ key }) => key);

// The labels of the shown numbers, and each row as its group, its numbers, and how many groups it combines.
function shown(groupBy: string, rows: Cell[][], display: Partial<ChartDisplay>, shownMetrics = metrics) {
  const result = deriveNumbers(resultOf(groupBy, shownMetrics, rows), chartDisplaySchema.parse(display), columns);
  const numbers = result.metrics.map(({ key }) => key);
  return {
    labels: result.metrics.map(({ label }) => label),
    rows: result.rows.map(({ group, values, foldedCount }) => {
      const cells = [...Object.values(group), ...numbers.map((key) => values[key])].map((cell) => cell ?? "none");
      return cells.join(" ") + (foldedCount === undefined ? "" : ` of ${foldedCount}`);
    }),
  };
}
type Derived = ChartDisplay["derived"];
const derivedOf = (derived: Derived, groupBy: string, rows: Cell[][], display: Partial<ChartDisplay> = {}) =>
  shown(groupBy, rows, { derived, hidden, ...display }).rows;

it("is in the order of a number or of a column, with missing values last", () => {
  const rows = [
    ["Ward 10", "Kent", 2],
    [null, "Auburn", 3],
    ["Ward 9", "Auburn", null],
  ];
  const sorted = (order: ChartDisplay["order"]) => shown("county,city", rows, { order }, metrics.slice(0, 1)).rows;
  const texts = ["Ward 10 Kent 2", "none Auburn 3", "Ward 9 Auburn none"];
  const at = (...places: number[]) => places.map((place) => texts[place]);
  expect(sorted({ by: "n", descending: true })).toEqual(at(1, 0, 2));
  expect(sorted({ by: "n", descending: false })).toEqual(at(0, 1, 2));
  expect(sorted({ column: "county", descending: false })).toEqual(at(2, 0, 1));
  expect(sorted({ column: "county", descending: true })).toEqual(at(0, 2, 1));
  expect(sorted({ column: "city", descending: true })).toEqual(at(0, 1, 2));
});

describe("the calculations of a chart", () => {
  const rate: Derived = [{ key: "r", kind: "rate", of: "ok", over: "n", format: "percent" }];
  const runningTotal: Derived = [{ key: "c", kind: "cumulated", of: "n" }];

  it("divides one measure by another for a rate, and has none for zero", () => {
    const rows = [
      ["King", 3, 1],
      ["Pierce", 0, 0],
      [null, 2, null],
    ];
    expect(shown("county", rows, { derived: rate, hidden })).toEqual({
      labels: ["Accepted / Lines"],
      rows: ["King 0.333333333333333", "Pierce none", "none none"],
    });
  });

  it("begins a running total with what is carried, also of groups without records in the shown days", () => {
    const rows = [
      ["2026-11-02", "King", 2],
      ["2026-11-16", "Pierce", 1],
    ];
    const of = metrics.slice(0, 1);
    const earlier = (county: string, n: number) => ({ key: county, group: { county }, values: { n } });
    const display = chartDisplaySchema.parse({ derived: runningTotal, hidden });
    const carried = [earlier("King", 10), earlier("Skagit", 4)];
    const result = deriveNumbers(resultOf("at_week,county", of, rows), display, columns, { carried });
    const totals = Map.groupBy(result.rows, ({ group }) => group.county);
    const totalsOf = (county: string) => totals.get(county)?.map(({ values }) => values.c);
    expect(totalsOf("King")).toEqual([12, 12, 12]);
    expect(totalsOf("Pierce")).toEqual([0, 0, 1]);
    expect(totalsOf("Skagit")).toEqual([4, 4, 4]);
  });

  it("computes a share of all groups, but none of an average", () => {
    const shares: Derived = [
      { key: "s", kind: "share", of: "n" },
      { key: "none", kind: "share", of: "avg" },
    ];
    const rows = [
      ["King", 3, 0, 2],
      ["Pierce", 1, 0, 4],
    ];
    expect(derivedOf(shares, "county", rows)).toEqual(["King 0.75 none", "Pierce 0.25 none"]);
  });

  it("adds up a running total along the weeks for each county, wherever the week is among the groups", () => {
    const weeks = [
      ["2026-11-02", "King", 1],
      ["2026-11-02", "Pierce", 10],
      ["2026-11-09", "King", 2],
      ["2026-11-16", "Pierce", 20],
      [null, "King", 4],
    ];
    const sums = (rows: string[]) => rows.map((row) => Number(row.split(" ").at(-1)));
    expect(sums(derivedOf(runningTotal, "at_week,county", weeks))).toEqual([1, 10, 3, 30, 7]);
    const turned = weeks.map(([week = null, county = null, n = 0]) => [county, week, n]);
    const order = { by: "n", descending: true };
    expect(sums(derivedOf(runningTotal, "county,at_week", turned, { order }))).toEqual([30, 10, 7, 3, 1]);
  });

  it("adds up a running total along the order without dates", () => {
    const order = { by: "n", descending: true };
    const rows = Object.entries({ King: 1, Pierce: 3 });
    expect(derivedOf(runningTotal, "county", rows, { order })).toEqual(["Pierce 3", "King 4"]);
  });

  it.each<[string, "percent" | "number", Record<string, number>, (number | string)[]]>([
    // Without anything in the week before there is no percentage. The first week or month may have begun late.
    [
      "at_week",
      "percent",
      { "2026-10-12": 9, "2026-10-19": 4, "2026-10-26": 5, "2026-11-09": 1 },
      ["none", "none", 0.25, -1, "none"],
    ],
    [
      "at_week",
      "number",
      { "2026-10-12": 4, "2026-10-19": 1, "2026-11-02": 3, "": 9 },
      ["none", "none", -1, 3, "none"],
    ],
    ["at_month", "number", { "2025-12-01": 4, "2026-01-01": 6, "2026-03-01": 1 }, ["none", "none", -6, 1]],
    ["at", "number", { "2025-12-01": 4, "2025-12-02": 6 }, ["none", 2]],
    ["at_hour", "number", { 8: 4, 9: 6 }, ["none", 2]],
    ["county", "number", { King: 4 }, ["none"]],
  ])("compares by %s in %s with the period before: %j", (groupBy, format, counts, expected) => {
    const change: Derived = [{ key: "d", kind: "change", of: "n", format }];
    const place = (text: string) => (groupBy === "at_hour" ? Number(text) : text || null);
    const rows = Object.entries(counts).map(([name, n]) => [place(name), n]);
    expect(derivedOf(change, groupBy, rows).map((row) => row.replace(/^\S+ /, ""))).toEqual(expected.map(String));
  });

  it("shows the fall to a period without records, for each county, in the order of the weeks", () => {
    const change: Derived = [{ key: "d", kind: "change", of: "n", format: "number" }];
    const rows = [
      ["2026-10-19", "King", 4],
      ["2026-10-19", "Pierce", 1],
      ["2026-10-26", "King", 5],
      ["2026-11-09", "Pierce", 2],
    ];
    expect(derivedOf(change, "at_week,county", rows)).toEqual([
      "2026-10-19 King none",
      "2026-10-19 Pierce none",
      "2026-10-26 King none",
      "2026-10-26 Pierce none",
      "2026-11-02 King -5",
      "2026-11-02 Pierce 0",
      "2026-11-09 King 0",
      "2026-11-09 Pierce 2",
    ]);
  });

  it("adds no periods when there are more than 2,000 between the first and the last", () => {
    const change: Derived = [{ key: "d", kind: "change", of: "n", format: "number" }];
    const rows = [
      ["1960-01-04", 4],
      ["2026-11-09", 2],
    ];
    expect(derivedOf(change, "at_week", rows)).toEqual(["1960-01-04 none", "2026-11-09 2"]);
  });

  it("compares with no week that isn't over or that a filter cuts", () => {
    const display = chartDisplaySchema.parse({ derived: [{ key: "d", kind: "change", of: "n", format: "number" }] });
    const weeks = ["2026-10-26", "2026-11-02", "2026-11-09", "2026-11-16"];
    const result = resultOf(
      "at_week",
      metrics.slice(0, 1),
      weeks.map((week, index) => [week, index * index]),
    );
    const changes = (operator: "gte" | "lte", value: string) => {
      const filters = [{ column: "at", operator, value }];
      return deriveNumbers(result, display, columns, { filters }).rows.map(({ values }) => values.d);
    };
    expect(changes("gte", "2026-10-26")).toEqual([null, 1, 3, null]); // November 20 is a Friday
    expect(changes("gte", "2026-10-28")).toEqual([null, null, 3, null]);
    expect(changes("lte", "2026-11-12")).toEqual([null, null, null, null]);
    expect(changes("lte", "2026-11-15")).toEqual([null, null, 3, null]);
  });

  it("is left out for a missing measure, and everything is shown when nothing would be left", () => {
    const derived: Derived = [{ key: "s", kind: "share", of: "gone" }];
    expect(shown("county", [["King", 1]], { derived, hidden }).labels).toEqual(metrics.map(({ label }) => label));
  });
});

it("equals what counting the records gives, in random worlds", () => {
  const record = fc.record({
    day: fc.integer({ min: 1, max: 20 }),
    county: fc.constantFrom("A", "B"),
    ok: fc.boolean(),
  });
  const display = chartDisplaySchema.parse({
    derived: [
      { key: "rate", kind: "rate", of: "ok", over: "n", format: "percent" },
      { key: "share", kind: "share", of: "n" },
      { key: "sum", kind: "cumulated", of: "n" },
      { key: "change", kind: "change", of: "n", format: "number" },
      { key: "relative", kind: "change", of: "n", format: "percent" },
    ],
  });
  const dayOf = (day: number) => `2026-10-${String(day).padStart(2, "0")}`;
  const property = fc.property(fc.array(record, { minLength: 1, maxLength: 60 }), (records) => {
    const count = (county: unknown, is: (voterLine: (typeof records)[number]) => boolean) =>
      records.filter((candidate) => candidate.county === county && is(candidate)).length;
    const onDay = (day: number) => (line: { day: number }) => line.day === day;
    const [days, counties] = [records.map(({ day }) => day), [...new Set(records.map(({ county }) => county))]];
    const [first, last] = [Math.min(...days), Math.max(...days)];
    const places = [...new Set(days)]
      .sort((a, b) => a - b)
      .flatMap((day) => counties.map((county) => ({ at: day, county })));
    const rows = places.flatMap(({ at: day, county }) => {
      const n = count(county, onDay(day));
      return n > 0 ? [[dayOf(day), county, n, count(county, (line) => line.day === day && line.ok)]] : [];
    });
    const result = deriveNumbers(resultOf("at,county", metrics.slice(0, 2), rows), display, columns).rows;
    expect(result).toHaveLength((last - first + 1) * counties.length);
    for (const { group, values } of result) {
      const dayNumber = Number(String(group.at).slice(-2));
      const [n, before] = [count(group.county, onDay(dayNumber)), count(group.county, onDay(dayNumber - 1))];
      const ok = count(group.county, (line) => line.day === dayNumber && line.ok);
      const expected = {
        rate: n === 0 ? null : ok / n,
        share: n / records.length,
        sum: count(group.county, ({ day }) => day <= dayNumber),
        change: dayNumber === first ? null : n - before,
        relative: dayNumber === first || before === 0 ? null : (n - before) / before,
      };
      for (const [key, value] of Object.entries(expected)) {
        if (value === null) expect(values[key] ?? null, key).toBeNull();
        else expect(values[key], key).toBeCloseTo(value, 12);
      }
    }
  });
  fc.assert(property, { numRuns: 200, seed: 11 });
});

describe("the first groups and the others", () => {
  const counties = [
    ["King", 5, 5, 2, 7],
    ["Pierce", 1, 0, 2, 7],
    ["Thurston", 2, 1, 4, 9],
    [null, 1, 1, 6, null],
  ];

  it("are combined into one group: sums are added, extremes compared, averages left out", () => {
    const top = { column: "county", count: 1 };
    expect(shown("county", counties, { top }).rows).toEqual(["King 5 5 2 7", "Other (3 groups) 4 2 none 9 of 3"]);
  });

  it("have a rate of their sums, and stay last in each order", () => {
    const derived: Derived = [{ key: "r", kind: "rate", of: "ok", over: "n", format: "percent" }];
    const display = { top: { column: "county", count: 2 }, order: { by: "r", descending: false } };
    expect(derivedOf(derived, "county", counties, display)).toEqual([
      "Thurston 0.5",
      "King 1",
      "Other (2 groups) 0.5 of 2",
    ]);
  });

  it("are combined in one column for each value of the other columns", () => {
    const weeks = [
      ["2026-11-02", "King", 1],
      ["2026-11-02", "Pierce", 3],
      ["2026-11-09", "King", 2],
      ["2026-11-09", "Kitsap", 1],
      ["2026-11-09", "Pierce", 4],
    ];
    const top = { column: "county", count: 1 };
    expect(shown("at_week,county", weeks, { top }, metrics.slice(0, 1)).rows).toEqual([
      "2026-11-02 Pierce 3",
      "2026-11-02 Other (2 groups) 1 of 1",
      "2026-11-09 Pierce 4",
      "2026-11-09 Other (2 groups) 3 of 2",
    ]);
  });

  describe("per 100 registered voters", () => {
    const derivedMetrics: ChartMetric[] = [
      { key: "n", aggregation: "count" },
      { key: "v", aggregation: "registered" },
    ];
    const derived: Derived = [{ key: "r", kind: "rate", of: "n", over: "v", format: "per100" }];
    const per100 = (groupBy: string, rows: Cell[][], top: ChartDisplay["top"]) =>
      shown(groupBy, rows, { derived, hidden: ["n"], top }, derivedMetrics);

    it("divide sums by sums, and have no value with a county that has no count", () => {
      const top = { column: "county", count: 1 };
      const known = [
        ["King", 30, 400],
        ["Pierce", 4, 100],
        ["Clark", 2, 20],
      ];
      expect(per100("county", known, top)).toEqual({
        labels: [undefined, "Signatures per 100 registered voters"],
        rows: ["King 400 7.5", "Other (2 groups) 120 5 of 2"],
      });
      expect(per100("county", [...known, ["Yakima", 1, null]], top).rows).toEqual([
        "King 400 7.5",
        "Other (3 groups) none none of 3",
      ]);
    });

    it("count each county once, also one without records in a group of the other columns", () => {
      const rows = [
        ["King", "Kent", 30, 400],
        ["King", "Auburn", 8, 400],
        ["Pierce", "Kent", 4, 100],
        ["Clark", "Kent", 2, 20],
        ["Clark", "Auburn", 3, 20],
      ];
      expect(per100("county,city", rows, { column: "county", count: 1 }).rows).toEqual([
        "King Kent 400 7.5",
        "King Auburn 400 2",
        "Other (2 groups) Kent 120 5 of 2",
        "Other (2 groups) Auburn 120 2.5 of 1",
      ]);
      const cities = [...rows.slice(0, 2), ["King", "Renton", 2, 400]];
      expect(per100("county,city", cities, { column: "city", count: 1 }).rows).toEqual([
        "King Kent 400 7.5",
        "King Other (2 groups) 400 2.5 of 2",
      ]);
    });
  });

  it("are all groups when there are no more", () => {
    expect(shown("county", counties, { top: { column: "county", count: 4 } }).rows).toHaveLength(4);
    expect(shown("county", counties, { top: { column: "county", count: 3 } }).rows).toHaveLength(4); // not “Other (1 group)”
    expect(shown("county", counties, { top: { column: "county", count: 3 } }).rows.join()).not.toContain("Other");
  });
});
