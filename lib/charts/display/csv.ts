import type { ChartDisplay } from "@/lib/charts/definition/definition";
import type { ChartResult } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { metricLabel } from "@/lib/charts/definition/words";
import { deriveNumbers, type ShownMetric } from "@/lib/charts/display/derive-numbers";
import { type CsvValue, csv } from "@/lib/format/csv";

/**
 * A chart's data as a CSV file: a head row, then one row a group, as its table shows them. `types` are the columns of its
 * source: the lowest and the highest of days and moments are written as such.
 */
export function chartCsv({
  display,
  types,
  data,
}: {
  display: ChartDisplay | null;
  types: ChartColumn[];
  data: ChartResult;
}): string {
  const { metrics, rows } = deriveNumbers(data, display, types);
  const columns = data.groupBy.split(",").flatMap((column) => column.trim() || []);
  return csv([
    [
      ...columns.map((column) => types.find(({ name }) => name === column)?.label ?? column),
      ...metrics.map((metric) => metricLabel(metric, types)),
    ],
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
