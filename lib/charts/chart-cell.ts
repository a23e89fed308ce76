import { chartMetricSchema, chartQuerySchema } from "@/lib/charts/chart-definition";
import { hasStorableTexts } from "@/lib/charts/chart-filter";
import { chartResultSchema } from "@/lib/charts/chart-result";

const group = chartResultSchema.shape.rows.element.shape.group.refine(hasStorableTexts, "has unreadable characters");

/** One number of a chart, as a request names it: what is computed, the group, and the metric. */
export const chartCellSchema = chartQuerySchema
  .pick({ source: true, groupBy: true, filters: true })
  .extend({ group, metric: chartMetricSchema });
