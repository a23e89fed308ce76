import type { ChartDisplay, ChartFilter } from "@/lib/charts/definition/definition";
import type { ChartResult, ChartRow } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { formatGroupValue, metricLabel, momentType } from "@/lib/charts/display/chart-text";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";
import { groupNames } from "@/lib/charts/display/fold-others";
import { type CsvValue, csv } from "@/lib/format/csv";
import type { Format } from "@/lib/format/format-of";

/**
 * A chart's data as a CSV file: one row per group, in the order of its table. Days are ISO dates. `columns` are those of its
 * source, so that the lowest and highest day or moment is written as a date.
 */
export function chartCsv({
  display,
  columns,
  data,
  carried,
  filters,
  format,
}: {
  display: ChartDisplay | null;
  columns: ChartColumn[];
  data: ChartResult;
  carried: ChartRow[] | null;
  filters: ChartFilter[];
  format: Format;
}): string {
  const { metrics, rows } = deriveNumbers(data, display, columns, { carried, filters, timeZone: format.timeZone });
  const groupColumns = groupNames(data.groupBy);
  const groupCell = (value: unknown, name: string) => {
    const column = columns.find((candidate) => candidate.name === name);
    const hasWords = value == null || name === "verdict" || (typeof value === "number" && column?.part);
    return hasWords && column ? formatGroupValue(value, column, format) : csvValue(value);
  };
  return csv([
    [
      ...groupColumns.map((column) => columns.find(({ name }) => name === column)?.label ?? column),
      ...metrics.map((metric) => metricLabel(metric, columns, data.source)),
    ],
    ...rows.map(({ group, values }) => [
      ...groupColumns.map((column) => groupCell(group[column], column)),
      ...metrics.map((metric) => {
        const [value, type] = [values[metric.key] ?? null, momentType(metric, columns)];
        if (value === null || type === null) return value;
        return new Date(value).toISOString().slice(0, type === "date" ? 10 : undefined);
      }),
    ]),
  ]);
}

/** A value of a record or group as a cell: lists and objects as their JSON. */
export function csvValue(value: unknown): CsvValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return JSON.stringify(value);
}
