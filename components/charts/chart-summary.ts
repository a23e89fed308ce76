import type { ChartModel } from "@/components/charts/chart-model";
import { countOf, valueText } from "@/components/charts/value-text";

const words = {
  bar: "bar chart",
  "stacked-bar": "stacked bar chart",
  line: "line chart",
  area: "area chart",
  pie: "pie chart",
  table: "table",
  number: "number",
};

/** What a drawing shows, in one sentence for those who hear it: its kind, how much is in it, and its largest part. */
export function chartSummary(name: string, { kind, series, points }: ChartModel): string {
  const all = points.flatMap(({ label, values }) => values.map((value, index) => ({ label, value, index })));
  const largest = all.reduce<(typeof all)[number] | undefined>(
    (most, one) =>
      (one.value !== null && (most?.value ?? null) === null) || (one.value ?? 0) > (most?.value ?? 0) ? one : most,
    undefined,
  );
  const measure = series.length === 1 ? series[0]?.label : countOf(series.length, "series", "series");
  const peak = largest ? ` The largest: ${largest.label}, ${valueText(largest.value)}.` : "";
  return `${name}: ${words[kind]} of ${measure ?? "nothing"}, ${countOf(points.length, "place")}.${peak} The table has all numbers.`;
}
