import type { ChartMetric } from "@/lib/charts/chart-definition";
import type { ChartColumn } from "@/lib/charts/chart-source";

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
