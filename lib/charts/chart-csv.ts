import type { ChartFilter } from "@/lib/charts/chart-filter";
import type { ChartResult } from "@/lib/charts/chart-result";
import { type CsvValue, csv } from "@/lib/charts/csv";
import { describeQuery } from "@/lib/charts/describe-query";

/** A chart's data as a CSV file: its name, definition and time, then one row a group. */
export function chartCsv({ name, filters, data }: { name: string; filters: ChartFilter[]; data: ChartResult }): string {
  const columns = data.groupBy.split(",").flatMap((column) => column.trim() || []);
  return csv([
    ["Chart", name],
    ...describeQuery({ ...data, filters }),
    ["Records", data.recordCount],
    ["Generated at", data.generatedAt],
    [],
    [...columns, ...data.metrics.map(({ key, label }) => label ?? key)],
    ...data.rows.map(({ group, values }) => [
      ...columns.map((column) => csvValue(group[column])),
      ...data.metrics.map(({ key }) => values[key] ?? null),
    ]),
  ]);
}

/** A value of a record or group as a cell: lists and objects as their JSON. */
export function csvValue(value: unknown): CsvValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return JSON.stringify(value);
}
