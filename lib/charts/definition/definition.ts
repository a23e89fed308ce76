import { z } from "zod";
import { aggregationNames, chartKinds, filterOperators, needsColumn } from "@/lib/charts/definition/words";
import { inPlainWords } from "@/lib/in-plain-words";
import { storableJson, storableText } from "@/lib/storable";

// The database checks keys, and the lengths of lists, in the same way.
const metricKeySchema = z
  .string()
  .regex(/^[a-z][a-zA-Z0-9_]{0,39}$/, "must be a lowercase letter followed by up to 39 letters, digits or _");
const listUpTo = <Schema extends z.ZodType>(schema: Schema, maxLength: number) =>
  z.array(schema).max(maxLength, `must be at most ${maxLength}`);
const has = (value: unknown, key: string) => typeof value === "object" && value !== null && key in value;

// Parses with the schema that fits the value, so that a problem names its part; a union names only itself. It parses
// separately, so it also needs the messages for schemas without one.
const schemaByValue = <Parsed>(schemaFor: (value: unknown) => z.ZodType<Parsed>) =>
  z.unknown().transform((value, context): Parsed => {
    const parsed = schemaFor(value).safeParse(value, { error: inPlainWords });
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });

const label = storableText.max(120, "must be at most 120 characters");

/** The name of a source or column in a request. The database decides whether it exists. */
export const chartNameSchema = storableText.min(1, "is required");

/** One condition on a column. `eq null` is "not given". */
export const chartConditionSchema = z.object({
  column: chartNameSchema,
  operator: z.enum(filterOperators),
  value: storableJson,
});
export type ChartCondition = z.infer<typeof chartConditionSchema>;

const fromToSchema = z
  .object({ all: listUpTo(chartConditionSchema, 2) })
  .refine(
    ({ all: [from, to] }) => from?.operator === "gte" && to?.operator === "lte" && from.column === to.column,
    "must be from … to on one column",
  );
export type ChartAlternative = ChartCondition | z.infer<typeof fromToSchema>;

/** Alternatives; one of them can be from … to on a column. */
const chartAlternativesSchema = z.object({
  any: listUpTo(
    schemaByValue<ChartAlternative>((value) => (has(value, "all") ? fromToSchema : chartConditionSchema)),
    50,
  ).min(1, "must be at least one"),
});

/** A condition, or alternatives: `{ any: [condition, …] }`. A list means all of them. */
export const chartFilterSchema = schemaByValue<ChartFilter>((value) =>
  has(value, "any") ? chartAlternativesSchema : chartConditionSchema,
);
export type ChartFilter = ChartCondition | z.infer<typeof chartAlternativesSchema>;

const number = { key: metricKeySchema, label: label.optional(), of: metricKeySchema };
const format = z.enum(["percent", "number"]);

/**
 * A number calculated from those of a result. A difference is from the previous period; with `percent`, it is relative to it.
 */
const derivedNumberSchema = z.discriminatedUnion("kind", [
  z.object({
    ...number,
    kind: z.literal("rate"),
    over: metricKeySchema,
    format: z.enum(["percent", "number", "per100"]),
  }),
  z.object({ ...number, kind: z.literal("cumulated") }),
  z.object({ ...number, kind: z.literal("share") }),
  z.object({ ...number, kind: z.literal("change"), format }),
]);
export type DerivedNumber = z.infer<typeof derivedNumberSchema>;

/** The order of the rows: by a measure or derived number, or by a group column; by default by all groups. */
const chartOrderSchema = z.union([
  z.object({ by: metricKeySchema, descending: z.boolean() }),
  z.object({ column: chartNameSchema, descending: z.boolean() }),
]);
export type ChartOrder = z.infer<typeof chartOrderSchema>;

const axisSchema = z.object({ title: label.optional(), min: z.number().optional(), max: z.number().optional() });

/** What a chart shows of its result. None of it is computed by the database, so changing it keeps the data. */
export const chartDisplaySchema = z.object({
  derived: listUpTo(derivedNumberSchema, 20).default([]),
  /** Keys of measures that are only used in calculations. */
  hidden: listUpTo(metricKeySchema, 50).default([]),
  order: chartOrderSchema.optional(),
  /** The largest values of a group column, by the first measure that adds up; all others are combined. */
  top: z.object({ column: chartNameSchema, count: z.int().min(1).max(100) }).optional(),
  /** A line at a value, in the unit that is drawn. */
  goal: z.object({ value: z.number(), label: label.optional() }).optional(),
  /** How many decimals numbers have. */
  decimals: z.int().min(0).max(3).optional(),
  /** The title of the numbers' axis, and its ends, in the unit that is drawn. `right`: the numbers on a second axis. */
  axis: axisSchema.extend({ right: axisSchema.extend({ keys: listUpTo(metricKeySchema, 50) }).optional() }).optional(),
});
export type ChartDisplay = z.infer<typeof chartDisplaySchema>;

const filters = listUpTo(chartFilterSchema, 50);

// A single filter means a list of one (contract 2.6: "an optional segment filter").
const isPlainObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const segmentOf = <Schema extends z.ZodType>(list: Schema) =>
  z.preprocess((value) => (isPlainObject(value) ? [value] : value), list);

/**
 * One number of each group. `count` counts records, or with a column those that have a value in it. `registered` is the number
 * of registered voters of the group's county.
 */
export const chartMetricSchema = z
  .object({
    key: metricKeySchema,
    label: label.optional(),
    aggregation: z.enum(aggregationNames),
    column: chartNameSchema.optional(),
    segment: segmentOf(filters).optional(),
  })
  .refine(({ aggregation, column }) => !needsColumn(aggregation) || column, {
    path: ["column"],
    error: "is required",
  });
export type ChartMetric = z.infer<typeof chartMetricSchema>;

const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

/** A stored metric, perhaps not from the builder: null means absent. */
export const storedMetricSchema = z.object({
  key: z.string(),
  label: orAbsent(z.string()),
  aggregation: z.enum(aggregationNames),
  column: orAbsent(z.string()),
  segment: orAbsent(segmentOf(z.array(chartFilterSchema))),
});

/** What is computed: of which records, grouped by what, and which numbers of each group. */
export const chartQuerySchema = z.object({
  source: chartNameSchema,
  /** Column names separated by commas; empty for a single row. */
  groupBy: storableText,
  metrics: listUpTo(chartMetricSchema, 50)
    .min(1, "must be at least one")
    .refine((metrics) => new Set(metrics.map(({ key }) => key)).size === metrics.length, "must have different keys"),
  filters,
});
export type ChartQuery = z.infer<typeof chartQuerySchema>;

/** A chart as people build it. The database, which knows the columns, decides whether it can run. */
export const chartDefinitionSchema = chartQuerySchema.extend({
  name: label.trim().min(1, "Enter a name"),
  kind: z.enum(chartKinds),
  display: chartDisplaySchema.nullish(),
});
export type ChartDefinition = z.infer<typeof chartDefinitionSchema>;
