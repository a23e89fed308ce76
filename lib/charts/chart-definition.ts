import { z } from "zod";
import { chartFilterSchema, chartNameSchema } from "@/lib/charts/chart-filter";
import { aggregations, chartKinds } from "@/lib/charts/chart-words";
import { chartDisplaySchema } from "@/lib/charts/display";
import { metricKeySchema } from "@/lib/charts/metric-key";
import { storableText } from "@/lib/storable";

// The database holds the same bounds.
const mostParts = { metrics: 50, filters: 50 };

const filters = z.array(chartFilterSchema).max(mostParts.filters, `must be at most ${mostParts.filters}`);

// One filter means a list of one (contract 2.6: "an optional segment filter").
const isOne = (given: unknown) => typeof given === "object" && given !== null && !Array.isArray(given);
const segmentOf = <Schema extends z.ZodType>(list: Schema) =>
  z.preprocess((given) => (isOne(given) ? [given] : given), list);

/** One number of each group. `count` counts records, with a column those where it is given. */
export const chartMetricSchema = z
  .object({
    key: metricKeySchema,
    label: storableText.max(120, "must be at most 120 characters").optional(),
    aggregation: z.enum(aggregations),
    column: chartNameSchema.optional(),
    segment: segmentOf(filters).optional(),
  })
  .refine(({ aggregation, column }) => aggregation === "count" || column, {
    path: ["column"],
    error: "is needed",
  });
export type ChartMetric = z.infer<typeof chartMetricSchema>;

const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

/** A metric as it was stored, perhaps not by the builder: null is as good as absent. */
export const storedMetricSchema = z.object({
  key: z.string(),
  label: orAbsent(z.string()),
  aggregation: z.enum(aggregations),
  column: orAbsent(z.string()),
  segment: orAbsent(segmentOf(z.array(chartFilterSchema))),
});

/** What is computed: which of the source's records, grouped by what, and which numbers of each group. */
export const chartQuerySchema = z.object({
  source: chartNameSchema,
  /** Names of columns, comma separated; empty for one row over everything. */
  groupBy: storableText,
  metrics: z
    .array(chartMetricSchema)
    .min(1, "must be at least one")
    .max(mostParts.metrics, `must be at most ${mostParts.metrics}`)
    .refine((metrics) => new Set(metrics.map(({ key }) => key)).size === metrics.length, "must have different keys"),
  filters,
});
export type ChartQuery = z.infer<typeof chartQuerySchema>;

/** All of a chart that a person builds. Whether it can run is decided by the database, which knows the columns. */
export const chartDefinitionSchema = chartQuerySchema.extend({
  name: storableText.trim().min(1, "is needed").max(120, "must be at most 120 characters"),
  kind: z.enum(chartKinds),
  display: chartDisplaySchema.nullish(),
});
export type ChartDefinition = z.infer<typeof chartDefinitionSchema>;
