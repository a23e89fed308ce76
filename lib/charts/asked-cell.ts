import { z } from "zod";
import { chartMetricSchema, chartQuerySchema } from "@/lib/charts/chart-definition";
import { chartResultSchema } from "@/lib/charts/chart-result";
import { isStorable } from "@/lib/storable";

const group = chartResultSchema.shape.rows.element.shape.group.refine(
  (value) => isStorable(value),
  "holds a character that cannot be stored",
);

/** One number of a chart, as a request names it: what is computed, the group, and the metric. */
export const askedCellSchema = chartQuerySchema.pick({ source: true, groupBy: true, filters: true }).extend({
  group,
  metric: chartMetricSchema,
  /** When the number was computed: its relative days are those of that moment. */
  at: z.iso.datetime().optional(),
});
export type AskedCell = z.infer<typeof askedCellSchema>;
