import type { ChartFilter } from "@/lib/charts/chart-filter";
import type { ChartResult } from "@/lib/charts/chart-result";
import type { ChartColumn } from "@/lib/charts/chart-source";
import { deriveNumbers, type ShownMetric } from "@/lib/charts/derive-numbers";
import { describeDerived, describeQuery } from "@/lib/charts/describe-query";
import type { ChartDisplay } from "@/lib/charts/display";
import { type CsvValue, csv } from "@/lib/format/csv";

/**
 * A chart's data as a CSV file: its name, definition and time, then one row a group. `types` are the columns of its
 * source: the lowest and the highest of days and moments are written as such.
 */
export function chartCsv({
  name,
  filters,
  display,
  types,
  data,
}: {
  name: string;
  filters: ChartFilter[];
  display: ChartDisplay | null;
  types: ChartColumn[];
  data: ChartResult;
}): string {
  const { metrics, rows, goal } = deriveNumbers(data, display, types);
  const derived = metrics.flatMap(({ key, label, derived: number }) =>
    number ? `${label ?? key}: ${describeDerived(number)}` : [],
  );
  const columns = data.groupBy.split(",").flatMap((column) => column.trim() || []);
  return csv([
    ["Chart", name],
    ...describeQuery({ ...data, filters }),
    ...(derived.length > 0 ? [["Derived", derived.join("; ")]] : []),
    ["Records", data.recordCount],
    ["Generated at", data.generatedAt],
    ...(goal ? [[goal.label || "Goal", goal.value]] : []),
    [],
    [...columns, ...metrics.map(({ key, label }) => label ?? key)],
    ...rows.map(({ group, values }) => [
      ...columns.map((column) => csvValue(group[column])),
      ...metrics.map((metric) => measured(values[metric.key] ?? null, metric, types)),
    ]),
  ]);
}

// Days and moments come as milliseconds.
function measured(value: number | null, { aggregation, column, derived }: ShownMetric, types: ChartColumn[]): CsvValue {
  const type = types.find(({ name }) => name === column)?.type;
  if (value === null || derived || aggregation === "count" || (type !== "date" && type !== "time")) return value;
  return new Date(value).toISOString().slice(0, type === "date" ? 10 : undefined);
}

/** A value of a record or group as a cell: lists and objects as their JSON. */
export function csvValue(value: unknown): CsvValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return JSON.stringify(value);
}
