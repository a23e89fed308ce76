// Doesn't import zod, which the builder's first load has no room for.

/** How a chart is drawn. */
export const chartKinds = [
  "bar",
  "stacked-bar",
  "line",
  "area",
  "pie",
  "heat-map",
  "pivot",
  "table",
  "number",
] as const;
export type ChartKind = (typeof chartKinds)[number];
export const kindLabels: Record<ChartKind, string> = {
  bar: "Bar",
  "stacked-bar": "Stacked bar",
  line: "Line",
  area: "Area",
  pie: "Pie",
  "heat-map": "Heat map",
  pivot: "Pivot table",
  table: "Table",
  number: "Number",
};

/** Whether a chart is a grid of two groups. */
export const isGridKind = (kind: ChartKind) => kind === "heat-map" || kind === "pivot";

/** The filter operators of contract 2.6, and the opposites of two of them, which also match missing values. */
export const filterOperators = [
  "eq",
  "neq",
  "gt",
  "gte",
  "lt",
  "lte",
  "in",
  "contains",
  "ilike",
  "not-in",
  "not-contains",
] as const;

/** Whether an operator compares with a list. */
export const takesList = (operator: string) => operator === "in" || operator === "not-in";

const recordNouns: Record<string, string> = {
  signatures: "signature",
  lines: "line",
  clerk_work: "line",
  sheets: "sheet",
  goal_pace: "day",
};
/** What a record of a source is called. */
export const recordNoun = (source: string) => recordNouns[source] ?? "record";

/** What several records of a source are called. */
export const recordNounPlural = (source: string) => `${recordNoun(source)}s`;

/** What a column holds; `time` is a date with a time of day. */
export const columnTypes = ["text", "number", "date", "time", "boolean", "uuid", "array", "json"] as const;
export type ColumnType = (typeof columnTypes)[number];
export const isTimeType = (type: ColumnType) => type === "date" || type === "time";

/** The parts of dates and times that have their own columns. A week is its Monday, a month its first day. */
export const timeUnits = ["day", "week", "month", "weekday", "hour"] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** What a measure can compute. `private.chart_aggregations` has the same ones; a test holds them equal. */
export const aggregationNames = ["count", "sum", "avg", "median", "min", "max", "distinct", "registered"] as const;
export type Aggregation = (typeof aggregationNames)[number];

type Numbers = (numbers: number[]) => number;
const sum: Numbers = (numbers) => Number(numbers.reduce((a, b) => a + b).toPrecision(15));
const lowest: Numbers = (numbers) => numbers.reduce((a, b) => Math.min(a, b));
const highest: Numbers = (numbers) => numbers.reduce((a, b) => Math.max(a, b));

type AggregationWords = {
  label: string;
  /** The types of the columns that it fits. */
  types: readonly ColumnType[];
  /** How the numbers of several groups make that of all of them; null where they don't: an average of averages is wrong. */
  combine: Numbers | null;
  /** Whether its numbers are parts of a whole. */
  addsUp: boolean;
  /** Its number where there are no records. */
  empty: 0 | null;
  /** Whether a day's number is a day. */
  keepsType: boolean;
};

const apart = { combine: null, addsUp: false, empty: null, keepsType: false } as const;
const times = ["number", "date", "time"] as const;

export const aggregations: Record<Aggregation, AggregationWords> = {
  count: { ...apart, label: "Count", types: columnTypes, combine: sum, addsUp: true, empty: 0 },
  sum: { ...apart, label: "Sum", types: ["number"], combine: sum, addsUp: true },
  avg: { ...apart, label: "Average", types: ["number"] },
  median: { ...apart, label: "Median", types: ["number"] },
  min: { ...apart, label: "Lowest", types: times, combine: lowest, keepsType: true },
  max: { ...apart, label: "Highest", types: times, combine: highest, keepsType: true },
  distinct: { ...apart, label: "Unique values", types: columnTypes, empty: 0 },
  // The number is the county's, so several groups of one county share it.
  registered: { ...apart, label: "Registered voters", types: [] },
};

/** Whether a measure is of a column: others count records, or the voters of a county. */
export const needsColumn = (aggregation: Aggregation) => aggregation !== "count" && aggregation !== "registered";
