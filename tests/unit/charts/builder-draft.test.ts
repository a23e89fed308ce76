import { describe, expect, it } from "vitest";
import {
  isAxisInPercent,
  newDerivedMetric,
  newMetric,
  toDefinition,
  toDraft,
  withoutDanglingReferences,
  withSource,
} from "@/lib/charts/builder/draft";
import { filterParts, keepFilters, updateFilter } from "@/lib/charts/builder/draft-filters";
import type { Draft, DraftFilter } from "@/lib/charts/builder/draft-schema";
import { columnsFor, offeredColumns } from "@/lib/charts/definition/columns";
import type { ChartCondition, ChartDefinition, DerivedNumber } from "@/lib/charts/definition/definition";
import { listConditions, operatorChoices } from "@/lib/charts/definition/operators";
import type { ChartColumn } from "@/lib/charts/definition/source";

const columns: ChartColumn[] = [
  { name: "id", label: "Line id", type: "uuid" },
  { name: "team_id", label: "Team", type: "text" },
  { name: "voter_id", label: "Voter id", type: "text" },
  { name: "entered_by", label: "Entered by (id)", type: "uuid" },
  { name: "county", label: "County", type: "text" },
  { name: "identity", label: "Identity", type: "text" },
  { name: "line", label: "Line", type: "number", identifies: true },
  { name: "signed_on", label: "Signed on", type: "date" },
  { name: "signed_on_week", label: "Signed on by week", type: "date", part: { of: "signed_on", unit: "week" } },
  { name: "entered_at", label: "Entered at", type: "time" },
  { name: "accepted", label: "Accepted", type: "boolean" },
  { name: "tags", label: "Tags", type: "array" },
];
const zone = { columns, timeZone: "America/Los_Angeles" };
const stored: ChartDefinition = {
  name: "By county",
  kind: "table",
  source: "signatures",
  groupBy: "county",
  metrics: [{ key: "n", aggregation: "count" }],
  filters: [],
  display: null,
};
const where = (column: string, operator: ChartCondition["operator"], value: ChartCondition["value"]) => ({
  filters: [{ column, operator, value }],
});
const draft = (change: Partial<ChartDefinition> = {}) => toDraft({ ...stored, ...change }, columns, zone.timeZone);

describe("a draft keeps its definition", () => {
  it.each<[string, Partial<ChartDefinition>]>([
    ["groups in their order", { groupBy: "line,county" }],
    ["no group", { groupBy: "" }],
    [
      "each aggregation, a label, a segment",
      {
        metrics: [
          { key: "a", aggregation: "avg", column: "line", label: "Mean" },
          { key: "b", aggregation: "count", column: "county", segment: where("line", "gt", 3).filters },
        ],
      },
    ],
    ["a beginning", where("county", "ilike", "k%")],
    ["a pattern", where("county", "ilike", "k_ng%")],
    ["a part", where("county", "contains", "k")],
    ["a place in the alphabet", where("county", "gte", "k")],
    ["several", where("county", "in", ["King", "Pierce"])],
    ["several numbers", where("line", "in", [1, 2.5])],
    ["not given", where("county", "eq", null)],
    ["given", where("line", "neq", null)],
    ["a day", where("signed_on", "gte", "2026-11-01")],
    ["a relative day", where("signed_on", "eq", "last 14 days")],
    ["a relative time", where("entered_at", "lt", "this month")],
    [
      "ranges, and more",
      {
        filters: [
          { column: "line", operator: "gte", value: 1 },
          { column: "line", operator: "lte", value: 9 },
          { column: "signed_on", operator: "gte", value: "this month" },
          { column: "signed_on", operator: "lte", value: "today" },
        ],
      },
    ],
    ["a time", where("entered_at", "lt", "2026-11-01T08:00:00.000Z")],
    ["a time with seconds", where("entered_at", "lt", "2026-11-01T08:00:30.500Z")],
    ["a number beyond 2^53", where("line", "gt", "9007199254740993")],
    ["a boolean", where("accepted", "eq", false)],
    ["an id", where("entered_by", "eq", "00000000-0000-4000-8000-000000000001")],
    ["an element", where("tags", "contains", "a,b")],
    ["a list", where("tags", "eq", ["a"])],
    [
      "calculations, and what is shown of them",
      {
        kind: "line",
        display: {
          derived: [{ key: "d", kind: "rate", of: "n", over: "n", format: "percent" }],
          hidden: ["n"],
          order: { by: "d", descending: false },
          top: { column: "county", count: 7 },
          goal: { value: 0.29, label: "Needed" },
          decimals: 2,
          axis: { title: "Lines a day", min: 10, max: 90.5 },
        },
      },
    ],
  ])("%s", (_case, change) => {
    const unchanged = { definition: { ...stored, ...change }, problems: new Map(), unfinished: new Map() };
    const read = draft(change);
    expect(toDefinition(read, zone)).toEqual(unchanged);
    const asTyped = {
      ...read,
      metrics: read.metrics.map((metric) => ({
        ...metric,
        segment: metric.segment.map((filter) => updateFilter(filter)),
      })),
      filters: read.filters.map((filter) => updateFilter(filter)),
    };
    expect(toDefinition(asTyped, zone)).toEqual(unchanged);
  });

  it("a goal for a running total on the right axis, in its unit", () => {
    const derived: DerivedNumber[] = [
      { key: "d", kind: "rate", of: "n", over: "n", format: "percent" },
      { key: "t", kind: "cumulated", of: "n" },
    ];
    const display = { derived, hidden: ["n"], goal: { value: 30_000 }, axis: { right: { keys: ["t"] } } };
    const goalText = (kind: "line" | "pie") => draft({ kind, display }).display.goal.text;
    expect([goalText("line"), goalText("pie")]).toEqual(["30000", "3000000"]);
  });

  it.each([
    ["a time with more digits than its field", "entered_at", "2026-11-01T08:00:00.000001Z"],
    ["a time as another program writes it", "entered_at", "2026-11-01 08:00:00+00"],
    ["a time in the hour that occurs twice", "entered_at", "2026-11-01T09:30:00Z"],
    ["an empty text", "county", ""],
    ["an empty list", "county", []],
  ])("%s, until it is changed", (_case, column, value) => {
    const change = where(column, "gte", value);
    const read = draft(change);
    expect(toDefinition(read, zone).definition.filters).toEqual(change.filters);
    const [typed, sent] = column === "county" ? ["King", "King"] : ["2026-11-02T10:00", "2026-11-02T18:00:00.000Z"];
    const filters = read.filters.map((filter) => updateFilter(filter, { operator: "eq", values: [typed] }));
    expect(listConditions(toDefinition({ ...read, filters }, zone).definition.filters)[0]?.value).toBe(sent);
  });
});

const typed = (column: string, text: string) => {
  const filters: Draft["filters"] = [{ id: 1, column, operator: "eq", values: [text] }];
  const { definition, problems } = toDefinition({ ...draft(), filters }, zone);
  return problems.get("filters.0.value") ?? listConditions(definition.filters)[0]?.value;
};

it.each([
  [" 12 ", 12],
  ["-0.50", -0.5],
  [".5", 0.5],
  ["1e3", 1000],
  ["9007199254740992", 9_007_199_254_740_992],
  ["100000000000000000000000", 1e23],
  // What JavaScript would change stays a text.
  ["9007199254740993", "9007199254740993"],
  ["-9007199254740993", "-9007199254740993"],
  ["0.1234567890123456789", "0.1234567890123456789"],
  ["NaN", "NaN"],
  ["9007199254740993e1", "Enter a number."],
  ["1e400", "Enter a number."],
  ["1.2.3", "Enter a number."],
  [" ", "Enter a number."],
])("reads the number %j as %j", (text, value) => expect(typed("line", text)).toBe(value));

it("keeps the numbers of a list exactly, or refuses it", () => {
  expect(typed("tags", '[12, 0.5, "9007199254740993"]')).toEqual([12, 0.5, "9007199254740993"]);
  expect(typed("tags", "[1, 9007199254740993]")).toBe("One of the numbers has too many digits.");
});

it("keeps the parts for which another source has columns", () => {
  const change = {
    groupBy: "county,signed_on",
    ...where("signed_on", "eq", "today"),
    metrics: [{ key: "n", aggregation: "max" as const, column: "signed_on" }],
  };
  const lines = { name: "lines", label: "Lines", description: "", columns: columns.slice(0, 7) };
  const { definition } = toDefinition(withSource(draft(change), lines), zone);
  expect(definition).toEqual({ ...stored, source: "lines" });
});

it("starts with the running totals of a goal and its pace by day, and counts again with another source", () => {
  const days = columns.slice(7, 8).map((column) => ({ ...column, name: "entered_at_day" }));
  const sourceOf = (name: string, sourceColumns: ChartColumn[]) => ({
    name,
    label: name,
    description: "",
    columns: sourceColumns,
  });
  const pace = withSource(draft({}), sourceOf("goal_pace", days));
  expect(toDefinition(pace, zone).definition).toMatchObject({
    name: "By county",
    kind: "table",
    source: "goal_pace",
    groupBy: "entered_at_day",
    metrics: [
      { key: "m1", aggregation: "sum", column: "lines_valid" },
      { key: "m2", aggregation: "sum", column: "lines_needed" },
    ],
    display: {
      derived: [
        { key: "d1", kind: "cumulated", of: "m1" },
        { key: "d2", kind: "cumulated", of: "m2" },
      ],
      hidden: ["m1", "m2"],
    },
  });
  const { definition } = toDefinition(withSource(pace, sourceOf("signatures", columns)), zone);
  expect(definition).toEqual({ ...stored, metrics: [{ key: "m1", aggregation: "count" }] });
});

it("gives a new measure and a new calculation a unique key", () => {
  const metrics = [{ key: "m2" }, { key: "m1" }];
  expect([newMetric([]).key, newMetric(metrics).key]).toEqual(["m1", "m3"]);
  const rate = { key: "d1", kind: "rate", of: "m1", over: "m2", format: "percent" };
  expect(newDerivedMetric(metrics, [])).toEqual(rate);
  expect(newDerivedMetric([{ key: "d1" }], [])).toEqual({ key: "d2", kind: "cumulated", of: "d1" });
});

it("offers a rate over the measure of all records, wherever it is in the list", () => {
  const accepted = { key: "ok", segment: [{ column: "verdict", operator: "eq" as const, value: "accepted" }] };
  const rate = { key: "d1", kind: "rate", of: "ok", over: "n", format: "percent" };
  expect(newDerivedMetric([accepted, { key: "n" }], [])).toEqual(rate);
  expect(newDerivedMetric([{ key: "n" }, accepted], [])).toEqual(rate);
});

it("offers a rate per 100 registered voters when they are a measure", () => {
  const voters = { key: "v", aggregation: "registered" as const };
  const rate = { key: "d1", kind: "rate", of: "n", over: "v", format: "per100" };
  expect(newDerivedMetric([{ key: "n" }, voters], [])).toEqual(rate);
});

it("removes calculations of a removed measure, and everything that shows them", () => {
  const read = draft({
    display: {
      derived: [{ key: "d", kind: "share", of: "gone" }],
      hidden: ["gone"],
      order: { by: "d", descending: true },
      top: { column: "city", count: 3 },
    },
  });
  expect(toDefinition(withoutDanglingReferences(read), zone).definition.display).toBeNull();
});

it("reports a goal that isn't a number", () => {
  const read = draft();
  const goal = { text: "many", label: "" };
  const { problems } = toDefinition({ ...read, display: { ...read.display, goal } }, zone);
  expect([...problems]).toEqual([["display.goal", "Enter the goal as a number."]]);
});

it.each([
  ["min", "few", "", "Enter the minimum as a number."],
  ["max", "", "many", "Enter the maximum as a number."],
  ["max", "9", "9", "The maximum must be above the minimum."],
])("reports the %s of an axis from “%s” to “%s”", (part, min, max, problem) => {
  const read = draft({ kind: "line" });
  const { problems } = toDefinition(
    { ...read, display: { ...read.display, axis: { ...read.display.axis, min, max } } },
    zone,
  );
  expect([...problems]).toEqual([[`display.axis.${part}`, problem]]);
});

it("stores a lowest value of the axis only for a line", () => {
  const axis = { min: 5, max: 9 };
  const written = (kind: "bar" | "line") =>
    toDefinition(draft({ kind, display: { derived: [], hidden: [], axis } }), zone).definition.display?.axis;
  expect([written("line"), written("bar")]).toEqual([axis, { max: 9 }]);
});

describe("the right axis", () => {
  const rate = { key: "r", kind: "rate" as const, of: "n", over: "n", format: "percent" as const };
  const metrics = [{ key: "n", aggregation: "count" as const }];
  const axis = { right: { keys: ["r", "gone"], title: "Validity" } };
  const read = (kind: "bar" | "table", keys = axis.right.keys) =>
    draft({ kind, metrics, display: { derived: [rate], hidden: [], axis: { right: { ...axis.right, keys } } } });

  it("is stored with the numbers that exist, and not without any", () => {
    const stored = (input: Draft) => toDefinition(withoutDanglingReferences(input), zone).definition.display?.axis;
    expect(stored(read("bar"))).toEqual({ right: { keys: ["r"], title: "Validity" } });
    expect(stored(read("bar", ["gone"]))).toBeUndefined();
  });

  it("leaves the goal to the first number on the left", () => {
    const areInPercent = (["bar", "table"] as const).map((kind) => isAxisInPercent(read(kind, ["n"])));
    expect(areInPercent).toEqual([true, false]);
  });

  it("has its own ends, in the unit of its numbers", () => {
    const ends = { ...axis.right, keys: ["r"], min: 0.5, max: 1 };
    const display = { derived: [rate], hidden: [], axis: { max: 900, right: ends } };
    const input = draft({ kind: "bar", metrics, display });
    expect(input.display.axis).toMatchObject({ max: "900", right: { min: "50", max: "100" } });
    expect(toDefinition(input, zone).definition.display?.axis).toEqual({ max: 900, right: ends });
    const { axis: typed } = input.display;
    const turned = { ...input.display, axis: { ...typed, right: { ...typed.right, max: "40" } } };
    const { problems } = toDefinition({ ...input, display: turned }, zone);
    expect([...problems]).toEqual([["display.right.max", "The maximum must be above the minimum."]]);
  });
});

it("offers operators by the type of the column, and the chosen one", () => {
  const words = (...args: Parameters<typeof operatorChoices>) => operatorChoices(...args).map(([, label]) => label);
  expect(words("text")).toEqual([
    "is",
    "is not",
    "is one of",
    "is not one of",
    "contains",
    "does not contain",
    "starts with",
    "is empty",
    "is not empty",
  ]);
  expect(words("date")).toEqual([
    "is",
    "is in the last …",
    "is between",
    "is on or after",
    "is on or before",
    "is after",
    "is before",
    "is not",
    "is one of",
    "is not one of",
    "is empty",
    "is not empty",
  ]);
  expect(words("text", "gte").at(-1)).toBe("is at or after (A–Z)");
  expect(words("text", "ilike").at(-1)).toBe("matches (% any text, _ one character)");
  expect(words("boolean", "neq")).toContain("is not");
});

it("offers the columns that fit an aggregation", () => {
  const names = (...[aggregation, chosen]: [Parameters<typeof columnsFor>[0], string?]) =>
    columnsFor(aggregation, columns, chosen).map(({ name }) => name);
  expect(names("avg")).toEqual(["line"]);
  expect(names("median")).toEqual(["line"]);
  expect(names("max")).toEqual(["line", "signed_on", "entered_at"]);
  expect(names("count")).not.toContain("signed_on_week");
  expect(names("count", "signed_on_week")).toContain("signed_on_week");
});

it("offers no IDs, no empty columns, and columns that identify signers only to people who can see signatures", () => {
  const offered = (empty: string[], canSeeSigners = true) =>
    offeredColumns(columns, { empty, canSeeSigners }).map(({ name }) => name);
  const days = ["signed_on", "signed_on_week"];
  const others = ["entered_at", "accepted", "tags"];
  expect(offered([])).toEqual(["county", "identity", "line", ...days, ...others]);
  expect(offered(["signed_on"])).toEqual(["county", "identity", "line", ...others]); // with its parts
  expect(offered([], false)).toEqual(["county", "identity", ...days, ...others]);
});

describe("alternatives", () => {
  const eq = (column: string, value: string) => ({ column, operator: "eq" as const, value });
  const any = [
    eq("county", "King"),
    {
      all: [
        { column: "line", operator: "gte" as const, value: 1 },
        { column: "line", operator: "lte" as const, value: 9 },
      ],
    },
  ];
  const filters = [eq("county", "A"), { any }, eq("county", "B")];
  const written = (list: DraftFilter[]) => toDefinition({ ...draft(), filters: list }, zone);

  it("are read and written as they are stored, also after a change", () => {
    const read = draft({ filters }).filters;
    expect(read.map(({ operator, or = false }) => [operator, or])).toEqual([
      ["eq", false],
      ["eq", false],
      ["between", true],
      ["eq", false],
    ]);
    expect(written(read).definition.filters).toEqual(filters);
    expect(written(read.map((filter) => updateFilter(filter))).definition.filters).toEqual(filters);
  });

  it("stay together when one is removed, and a single one is a plain filter", () => {
    const read = draft({ filters }).filters;
    const without = (index: number) =>
      written(keepFilters(read, (filter) => filter !== read[index])).definition.filters;
    expect(without(1)).toEqual([filters[0], ...(any[1] && "all" in any[1] ? any[1].all : []), filters[2]]);
    expect(without(2)).toEqual([filters[0], any[0], filters[2]]);
    expect(without(0)).toEqual(filters.slice(1));
  });

  it("have their problems at their place, and unfinished ones don't count", () => {
    const open = { id: 5, column: "county", operator: "eq" as const, values: [""] };
    const wrong = { id: 6, column: "line", operator: "eq" as const, values: ["x"] };
    const [king] = draft({ filters: [eq("county", "King")] }).filters;
    const list = [open, ...(king ? [{ ...king, or: true }] : []), { ...wrong, or: true }];
    expect([...written(list).problems.keys()]).toEqual(["filters.0.any.1.value"]);
    expect(filterParts(list).get(list[2] ?? open)).toEqual(["0.any.1"]);
  });
});
