import type { ChartMetric, ChartQuery } from "@/lib/charts/chart-definition";
import type { ChartFilter } from "@/lib/charts/chart-filter";
import type { DerivedNumber } from "@/lib/charts/display";

/** A filter in words: `county = "King"`. */
function describeFilter({ column, operator, value }: ChartFilter): string {
  return `${column} ${signs[operator]} ${JSON.stringify(value)}`;
}

const signs: Record<ChartFilter["operator"], string> = {
  eq: "=",
  neq: "≠",
  gt: ">",
  gte: "≥",
  lt: "<",
  lte: "≤",
  in: "is one of",
  contains: "contains",
  ilike: "is like",
};

/** A metric in words: `count where zip = "98030"`, `avg of line`. */
function describeMetric({ aggregation, column, segment = [] }: ChartMetric): string {
  const what = column === undefined ? aggregation : `${aggregation} of ${column}`;
  return segment.length === 0 ? what : `${what} where ${segment.map(describeFilter).join(" and ")}`;
}

/** A derived number in words: `rate of accepted over lines`. */
export function describeDerived(number: DerivedNumber): string {
  return `${number.kind} of ${number.of}${number.kind === "rate" ? ` over ${number.over}` : ""}`;
}

/** What a chart computes, as pairs of a word and its value, for the head of a file. */
export function describeQuery({ source, groupBy, metrics, filters }: ChartQuery): [string, string][] {
  return [
    ["Source", source],
    ["Group by", groupBy || "nothing"],
    ["Measures", metrics.map((metric) => `${metric.label ?? metric.key}: ${describeMetric(metric)}`).join("; ")],
    ["Only where", filters.map(describeFilter).join(" and ") || "everything"],
  ];
}
