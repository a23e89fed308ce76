import { z } from "zod";
import type { Aggregation } from "@/lib/charts/chart-definition";
import type { FilterOperator } from "@/lib/charts/chart-filter";

/** What a column holds: `date` a day, `time` a moment. */
const columnTypes = ["text", "number", "date", "time", "boolean", "uuid", "array", "json"] as const;
export type ColumnType = (typeof columnTypes)[number];

const columnSchema = z.object({
  name: z.string(),
  /** The words that the builder shows. */
  label: z.string(),
  type: z.enum(columnTypes),
});
export type ChartColumn = z.infer<typeof columnSchema>;

/** A view that charts may read, as the builder shows it. */
export const chartSourceSchema = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  columns: z.array(columnSchema),
});
export type ChartSource = z.infer<typeof chartSourceSchema>;

const ordered: FilterOperator[] = ["eq", "neq", "gt", "gte", "lt", "lte", "in"];
const compared: FilterOperator[] = ["eq", "neq", "in"];

/** The operators that fit a column's type. */
export function operatorsFor(type: ColumnType): FilterOperator[] {
  switch (type) {
    case "text":
      return [...ordered, "contains", "ilike"];
    case "number":
    case "date":
    case "time":
      return ordered;
    case "boolean":
    case "uuid":
      return compared;
    case "array":
    case "json":
      return [...compared, "contains"];
  }
}

/** The aggregations that fit a column's type. `count` fits every column, and none. */
export function aggregationsFor(type: ColumnType): Aggregation[] {
  if (type === "number") return ["count", "sum", "avg", "min", "max"];
  return type === "date" || type === "time" ? ["count", "min", "max"] : ["count"];
}
