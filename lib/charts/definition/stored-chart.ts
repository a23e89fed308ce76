import { z } from "zod";
import {
  type ChartFilter,
  chartDisplaySchema,
  chartFilterSchema,
  storedMetricSchema,
} from "@/lib/charts/definition/definition";
import { type ChartRow, chartResultSchema } from "@/lib/charts/definition/result";
import { chartSourceSchema } from "@/lib/charts/definition/source";
import { chartKinds } from "@/lib/charts/definition/words";
import type { Failure } from "@/lib/http/call-api";
import { inPlainWords } from "@/lib/in-plain-words";

// Parts that may have been written without the builder. They must not break the dashboard.
const writtenSchema = z.object({
  metrics: z.array(storedMetricSchema).nullable(),
  filters: z.array(chartFilterSchema).nullable(),
  display: chartDisplaySchema.nullable(),
});

/** A chart as `read_charts` returns it. `problem` says which part of its definition can't be read and is empty here. */
export const storedChartSchema = z
  .object({
    id: z.guid(),
    team: z.string(),
    /** Null: it covers the whole team. */
    campaign: z.string().nullable(),
    name: z.string(),
    kind: z.enum(chartKinds),
    /** Null: it is on the first dashboard of its place. */
    dashboard: z.guid().nullable(),
    /** Thirds of the dashboard's width. */
    width: z.int(),
    /** Not null: it is a card with this text, which computes nothing. */
    text: z.string().nullable(),
    source: z.string(),
    groupBy: z.string(),
    metrics: z.unknown(),
    filters: z.unknown(),
    display: z.unknown(),
    /** Rises with each change of what is computed. */
    version: z.int(),
    /** When a person last changed it, also its name or display. */
    updatedAt: z.string().nullable(),
    /** Null: never generated, or with another definition. */
    data: chartResultSchema.nullable(),
    /** It was generated with another definition. */
    outdated: z.boolean(),
    /** It identifies signers and its viewer isn't allowed to see them: definition and data are empty. */
    withheld: z.boolean(),
  })
  .transform((chart) => {
    const { data, error } = writtenSchema.safeParse(chart, { error: inPlainWords });
    const [issue] = error?.issues ?? [];
    return {
      ...chart,
      metrics: data?.metrics ?? [],
      filters: data?.filters ?? [],
      display: data?.display ?? null,
      problem: issue ? `${issue.path.join(".")}: ${issue.message}` : null,
    };
  });
export type StoredChart = z.infer<typeof storedChartSchema>;

/** A chart as its dashboard shows it: as it is stored, or computed with the dashboard's filter. */
export type DashboardChart = StoredChart & {
  /** Its numbers are older than its dashboard allows: unless that has failed, they are being computed again. */
  isStale: boolean;
  /** They couldn't be computed again. */
  failed: boolean;
  /** When they will be computed next; null: on request, or now. */
  staleAt: string | null;
  /** How many lines were entered or changed since; 1,001 means more than 1,000. */
  newer: number;
  /** The filters that the dashboard adds to its own. */
  narrowed: ChartFilter[];
  /** What the dashboard's filter asks for and its source doesn't have: "county". */
  missing: string[];
  /** What its running totals begin with: the records before the days that the dashboard asks for. Null: nothing is carried. */
  carried: ChartRow[] | null;
  /** How many lines its filter by county leaves out because their county isn't known. */
  leftOut: number;
  /** Why it couldn't be computed with the dashboard's filter. */
  failure: Failure | null;
};

/** Differs when a dashboard has changed. */
export const versionResponseSchema = z.object({ version: z.string() });

/** What a definition computes. */
export const previewResponseSchema = z.object({ result: chartResultSchema });
export type Preview = z.infer<typeof previewResponseSchema>;

/** Values of a column, and how many records have each. */
export const valuesResponseSchema = z.object({ values: z.array(z.object({ value: z.json(), count: z.int() })) });
export type ChartValues = z.infer<typeof valuesResponseSchema>;

/** A page of the records that a number of a chart counts. */
export const recordsResponseSchema = z.object({
  columns: chartSourceSchema.shape.columns,
  /** A value for each column, in order. A number that JavaScript can't hold exactly is text. */
  records: z.array(z.array(z.json())),
  /** How many there are on all pages. */
  total: z.int(),
});
export type ChartRecords = z.infer<typeof recordsResponseSchema>;
