import { z } from "zod";
import { storedMetricSchema } from "@/lib/charts/chart-definition";
import { chartFilterSchema } from "@/lib/charts/chart-filter";
import { type ChartResult, chartResultSchema } from "@/lib/charts/chart-result";
import { chartKinds } from "@/lib/charts/chart-words";

/** The columns that `storedChartSchema` takes. */
export const storedChartColumns =
  "id, team_id, campaign_id, name, kind, source, group_by, metrics, filters, version, data, generated_at, data_version";

const rowSchema = z.object({
  id: z.guid(),
  team_id: z.string(),
  campaign_id: z.string().nullable(),
  name: z.string(),
  kind: z.enum(chartKinds),
  source: z.string(),
  group_by: z.string(),
  // What somebody wrote past the builder must not take the dashboard down: the route says what is wrong with it.
  metrics: z.array(storedMetricSchema).catch([]),
  filters: z.array(chartFilterSchema).catch([]),
  version: z.int(),
  data: chartResultSchema.nullable(),
  generated_at: z.string().nullable(),
  data_version: z.int().nullable(),
});

/** A row of public.charts as screens take it. */
export const storedChartSchema = rowSchema.transform((row) => ({
  id: row.id,
  team: row.team_id,
  /** Null: it covers the whole team. */
  campaign: row.campaign_id,
  name: row.name,
  kind: row.kind,
  source: row.source,
  groupBy: row.group_by,
  metrics: row.metrics,
  filters: row.filters,
  /** Rises with each change of what is computed. */
  version: row.version,
  /** Null: never generated, or of another definition than the chart has now. */
  data: row.data_version === row.version ? row.data : (null satisfies ChartResult | null),
  /** There is a result, but the definition has changed since. */
  outdated: row.data_version !== null && row.data_version !== row.version,
}));
export type StoredChart = z.infer<typeof storedChartSchema>;
