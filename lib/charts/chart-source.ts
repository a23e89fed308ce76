import { z } from "zod";
import { columnTypes } from "@/lib/charts/chart-words";

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
