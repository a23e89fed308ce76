import { z } from "zod";
import { filterOperators } from "@/lib/charts/chart-words";
import { storableJson, storableText } from "@/lib/storable";

/** The name of a source or column, as a request gives it. Whether there is one is decided by the database. */
export const chartNameSchema = storableText.min(1, "is needed");

/** One condition on a column; those of a list are joined with and. `eq null` is "not given". */
export const chartFilterSchema = z.object({
  column: chartNameSchema,
  operator: z.enum(filterOperators),
  value: storableJson,
});
export type ChartFilter = z.infer<typeof chartFilterSchema>;
