import { z } from "zod";
import { aggregationNames, chartKinds, filterOperators } from "@/lib/charts/definition/words";
import { storableJson, storableText } from "@/lib/storable";

/** What names a number of a chart. The database asks the same of it. */
const metricKeySchema = z
  .string()
  .regex(/^[a-z][a-zA-Z0-9_]{0,39}$/, "must begin with a small letter and have letters, digits and _ alone");

/** The name of a source or column, as a request gives it. Whether there is one is decided by the database. */
export const chartNameSchema = storableText.min(1, "is needed");

/** One condition on a column; those of a list are joined with and. `eq null` is "not given". */
export const chartFilterSchema = z.object({
  column: chartNameSchema,
  operator: z.enum(filterOperators),
  value: storableJson,
});
export type ChartFilter = z.infer<typeof chartFilterSchema>;

const words = storableText.max(120, "must be at most 120 characters");
const number = { key: metricKeySchema, label: words.optional(), of: metricKeySchema };
const format = z.enum(["percent", "number"]);

/**
 * A number that is computed from those of a result: one over another, the sum up to here, the part of all groups, or the
 * difference to the period before (`percent`: as a part of that one).
 */
const derivedNumberSchema = z.discriminatedUnion("kind", [
  z.object({ ...number, kind: z.literal("rate"), over: metricKeySchema, format }),
  z.object({ ...number, kind: z.literal("cumulated") }),
  z.object({ ...number, kind: z.literal("share") }),
  z.object({ ...number, kind: z.literal("change"), format }),
]);
export type DerivedNumber = z.infer<typeof derivedNumberSchema>;

/** What a chart shows of its result. Nothing of it is computed by the database, so that it never makes data outdated. */
export const chartDisplaySchema = z.object({
  derived: z.array(derivedNumberSchema).max(20, "must be at most 20").default([]),
  /** Keys of measures that are there to be computed with alone. */
  hidden: z.array(metricKeySchema).max(50, "must be at most 50").default([]),
  /** By a measure or a derived number; without it, by the groups. */
  order: z.object({ by: metricKeySchema, descending: z.boolean() }).optional(),
  /** The values of a group column with the largest numbers, of the first measure that adds up; all others are one. */
  top: z.object({ column: storableText.min(1, "is needed"), count: z.int().min(1).max(100) }).optional(),
  /** A line at a value, of the unit that is drawn. */
  goal: z.object({ value: z.number(), label: words.optional() }).optional(),
});
export type ChartDisplay = z.infer<typeof chartDisplaySchema>;

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
    aggregation: z.enum(aggregationNames),
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
  aggregation: z.enum(aggregationNames),
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
