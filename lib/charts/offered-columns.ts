import type { ChartColumn } from "@/lib/charts/chart-source";

const isId = ({ name, type }: ChartColumn) => type === "uuid" || name === "id" || name.endsWith("_id");

/**
 * The columns that are worth a choice: without ids, which are names for machines, and without those that no record has a
 * value in. A stored chart may be of others.
 */
export function offeredColumns(columns: ChartColumn[], empty: string[]): ChartColumn[] {
  return columns.filter((column) => !isId(column) && !empty.includes(column.part?.of ?? column.name));
}
