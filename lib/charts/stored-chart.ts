import { z } from "zod";
import { storedMetricSchema } from "@/lib/charts/chart-definition";
import { chartFilterSchema } from "@/lib/charts/chart-filter";
import { type ChartResult, chartResultSchema } from "@/lib/charts/chart-result";
import { chartKinds } from "@/lib/charts/chart-words";
import { chartDisplaySchema } from "@/lib/charts/display";

const rowSchema = z.object({
  id: z.guid(),
  team_id: z.string(),
  campaign_id: z.string().nullable(),
  name: z.string(),
  kind: z.enum(chartKinds),
  source: z.string(),
  group_by: z.string(),
  metrics: z.unknown(),
  filters: z.unknown(),
  display: z.unknown(),
  version: z.int(),
  data: chartResultSchema.nullable(),
  data_version: z.int().nullable(),
  withheld: z.boolean(),
});

// Of the definition, what somebody may have written past the builder. That must not take the dashboard down.
const writtenSchema = z.object({
  metrics: z.array(storedMetricSchema).nullable(),
  filters: z.array(chartFilterSchema).nullable(),
  display: chartDisplaySchema.nullable(),
});

/** A chart of `read_charts` as screens take it. */
export const storedChartSchema = rowSchema.transform(({ metrics, filters, display, ...row }) => ({
  id: row.id,
  team: row.team_id,
  /** Null: it covers the whole team. */
  campaign: row.campaign_id,
  name: row.name,
  kind: row.kind,
  source: row.source,
  groupBy: row.group_by,
  ...readWritten({ metrics, filters, display }),
  /** Rises with each change of what is computed. */
  version: row.version,
  /** Null: never generated, or of another definition than the chart has now. */
  data: row.data_version === row.version ? row.data : (null satisfies ChartResult | null),
  /** It tells who signed, and its viewer may not see that: definition and data are empty. */
  withheld: row.withheld,
  /** There is a result, but the definition has changed since. */
  outdated: row.data_version !== null && row.data_version !== row.version,
}));
export type StoredChart = z.infer<typeof storedChartSchema>;

/** `problem` says where measures, filters or display cannot be read; all are empty then, and not those of the chart. */
function readWritten(written: Record<keyof z.input<typeof writtenSchema>, unknown>) {
  const { data, error } = writtenSchema.safeParse(written);
  const [issue] = error?.issues ?? [];
  return {
    metrics: data?.metrics ?? [],
    filters: data?.filters ?? [],
    display: data?.display ?? null,
    problem: issue ? `${issue.path.join(".")}: ${issue.message}` : null,
  };
}
