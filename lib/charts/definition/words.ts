import type { ChartMetric } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";

// Without a schema library, which the first load of the builder has no room for.

/** How a chart is drawn. */
export const chartKinds = ["bar", "stacked-bar", "line", "area", "pie", "table", "number"] as const;
export type ChartKind = (typeof chartKinds)[number];

/** The aggregations of contract 2.6. */
export const aggregations = ["count", "sum", "avg", "min", "max"] as const;
export type Aggregation = (typeof aggregations)[number];

/** The filter operators of contract 2.6. */
export const filterOperators = ["eq", "neq", "gt", "gte", "lt", "lte", "in", "contains", "ilike"] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** What a column holds: `date` a day, `time` a moment. */
export const columnTypes = ["text", "number", "date", "time", "boolean", "uuid", "array", "json"] as const;
export type ColumnType = (typeof columnTypes)[number];

/** The parts of days and moments that are columns of their own. A week is its Monday, a month its first day. */
export const timeUnits = ["day", "week", "month", "weekday", "hour"] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** The aggregations that fit a column's type. `count` fits every column, and none. */
export function aggregationsFor(type: ColumnType): Aggregation[] {
  if (type === "number") return ["count", "sum", "avg", "min", "max"];
  return type === "date" || type === "time" ? ["count", "min", "max"] : ["count"];
}

/** The words for a metric: its label, else what it computes and of which records: `Count, accepted`. */
export function metricLabel({ label, aggregation, column, segment = [] }: ChartMetric, columns: ChartColumn[]): string {
  if (label) return label;
  const nameOf = (name: string) => columns.find((one) => one.name === name)?.label ?? name;
  const words = { count: "Count", sum: "Sum", avg: "Average", min: "Lowest", max: "Highest" }[aggregation];
  const conditions = segment.map(({ column: of, operator, value }) => {
    const values = [value].flat();
    const isNamed = (operator === "eq" || operator === "in") && values.every((one) => typeof one === "string");
    return isNamed && values.length > 0 ? values.join(" or ") : `by ${nameOf(of).toLowerCase()}`;
  });
  return [column ? `${words} of ${nameOf(column).toLowerCase()}` : words, ...conditions].join(", ");
}
