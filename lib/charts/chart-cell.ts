import { chartMetricSchema, chartQuerySchema } from "@/lib/charts/chart-definition";
import { chartResultSchema } from "@/lib/charts/chart-result";

/** One number of a chart, as a request names it: what is computed, the group, and the metric. */
export const chartCellSchema = chartQuerySchema
  .pick({ source: true, groupBy: true, filters: true })
  .extend({ group: chartResultSchema.shape.rows.element.shape.group, metric: chartMetricSchema });
