import { z } from "zod";
import {
  type ChartFilter,
  chartDisplaySchema,
  chartFilterSchema,
  storedMetricSchema,
} from "@/lib/charts/definition/definition";
import { type ChartResult, chartResultSchema } from "@/lib/charts/definition/result";
import { chartSourceSchema } from "@/lib/charts/definition/source";
import { chartKinds } from "@/lib/charts/definition/words";
import type { Failure } from "@/lib/http/ask-signet";

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

/** A chart as its dashboard shows it: as it is stored, or computed under the dashboard's filter. */
export type DashboardChart = StoredChart & {
  /** Its numbers are older than its dashboard lets them get: unless that has failed, they are being computed anew. */
  isStale: boolean;
  /** They could not be computed anew. */
  failed: boolean;
  /** When they are to be computed next; null: never by themselves, or now. */
  staleAt: string | null;
  /** How many lines of its place were keyed or changed since; 1 001 stands for more than 1 000. */
  newer: number;
  /** What the dashboard's filter adds to its own ones. */
  narrowed: ChartFilter[];
  /** What the dashboard's filter asks for and its source does not have: "county". */
  missing: string[];
  /** Why it could not be computed under the dashboard's filter. */
  failure: Failure | null;
};

/** What a definition computes, and how long that took on the server. */
export const previewAnswer = z.object({ result: chartResultSchema, milliseconds: z.number() });
export type Preview = z.infer<typeof previewAnswer>;

/** Values of a column, and how many records have each. */
export const valuesAnswer = z.object({ values: z.array(z.object({ value: z.json(), count: z.int() })) });
export type ChartValues = z.infer<typeof valuesAnswer>;

/** A page of the records that a number of a chart counts. */
export const recordsAnswer = z.object({
  columns: chartSourceSchema.shape.columns,
  /** A value for each column, in their order. A number that JavaScript cannot hold exactly is its text. */
  records: z.array(z.array(z.json())),
  /** How many there are on all pages. */
  total: z.int(),
});
export type ChartRecords = z.infer<typeof recordsAnswer>;
