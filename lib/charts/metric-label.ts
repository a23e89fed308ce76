import type { ChartMetric } from "@/lib/charts/chart-definition";
import type { ChartColumn } from "@/lib/charts/chart-source";

/** The words for a metric: its label, else what it computes. */
export function metricLabel({ label, aggregation, column }: ChartMetric, columns: ChartColumn[]): string {
  if (label) return label;
  const of = columns.find(({ name }) => name === column)?.label ?? column;
  const words = { count: "Count", sum: "Sum", avg: "Average", min: "Lowest", max: "Highest" }[aggregation];
  return of ? `${words} of ${of.toLowerCase()}` : words;
}
