import { z } from "zod";
import { columnTypes, timeUnits } from "@/lib/charts/definition/words";

const columnSchema = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(columnTypes),
  /** It's this part of another column, which is a date or time. */
  part: z.object({ of: z.string(), unit: z.enum(timeUnits) }).nullish(),
  /** It identifies signers: using it needs `signatures.view`. */
  identifies: z.boolean().optional(),
});
export type ChartColumn = z.infer<typeof columnSchema>;

/** A view that charts can read. */
export const chartSourceSchema = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  columns: z.array(columnSchema),
  /** Grouped by county, it can show registered voters: the voter file is loaded. */
  countsVoters: z.boolean().optional(),
});
export type ChartSource = z.infer<typeof chartSourceSchema>;
