import type { ChartModel } from "@/lib/charts/chart-model";
import { valueText } from "@/lib/charts/value-text";
import type { Format } from "@/lib/format/format-of";

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
export function chartSummary(name: string, { kind, series, points, unit, goal }: ChartModel, format: Format): string {
  const all = points.flatMap(({ label, values }) => values.map((value, index) => ({ label, value, index })));
  const largest = all.reduce<(typeof all)[number] | undefined>(
    (most, one) =>
      (one.value !== null && (most?.value ?? null) === null) || (one.value ?? 0) > (most?.value ?? 0) ? one : most,
    undefined,
  );
  const measure = series.length === 1 ? series[0]?.label : format.count(series.length, "series", "series");
  const peak = largest ? ` The largest: ${largest.label}, ${valueText(largest.value, format, unit)}.` : "";
  const line = goal ? ` ${goal.label}: ${valueText(goal.value, format, unit)}.` : "";
  return `${name}: ${words[kind]} of ${measure ?? "nothing"}, ${format.count(points.length, "place")}.${peak}${line} The table has all numbers.`;
}
