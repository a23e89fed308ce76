import type { ChartColumn } from "@/lib/charts/chart-source";

const isId = ({ name, type }: ChartColumn) => type === "uuid" || name === "id" || name.endsWith("_id");

/**
 * The columns that are worth a choice: without ids, which are names for machines, without those that no record has a value
 * in, and without those that tell who signed, unless one may see that. A stored chart may be of others.
 */
export function offeredColumns(
  columns: ChartColumn[],
  { empty, seesSigners }: { empty: string[]; seesSigners: boolean },
): ChartColumn[] {
  return columns.filter(
    (column) => !isId(column) && !empty.includes(column.part?.of ?? column.name) && (seesSigners || !column.identifies),
  );
}
