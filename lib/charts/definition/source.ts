import { z } from "zod";
import { columnTypes, timeUnits } from "@/lib/charts/definition/words";

const columnSchema = z.object({
  name: z.string(),
  /** The words that the builder shows. */
  label: z.string(),
  type: z.enum(columnTypes),
  /** It is this part of another column, which is a day or a moment. */
  part: z.object({ of: z.string(), unit: z.enum(timeUnits) }).nullish(),
  /** It tells who signed: what uses it needs `signatures.view`. */
  identifies: z.boolean().optional(),
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
