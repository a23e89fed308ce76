import { z } from "zod";
import { chartConditionSchema, chartDefinitionSchema, chartDisplaySchema } from "@/lib/charts/definition/definition";
import { draftOperators } from "@/lib/charts/definition/operators";
import { aggregationNames } from "@/lib/charts/definition/words";

/** Random, so that a part of a saved draft differs from all others on the page. */
const id = z.number();
const text = z.string();

/** A filter as it is typed: texts, whatever the column's type. A new one has no column. */
const draftFilterSchema = z.object({
  id,
  column: text,
  operator: z.enum(draftOperators),
  /** `in` has several; its last one is still being typed. */
  values: z.array(text),
  /** An alternative to the filter before it. */
  or: z.boolean().optional(),
  /** The stored filter, until it is edited: a field can't show some values completely. */
  untouched: z.array(chartConditionSchema).optional(),
});
export type DraftFilter = z.infer<typeof draftFilterSchema>;

const draftMetricSchema = z.object({
  id,
  key: text,
  label: text,
  aggregation: z.enum(aggregationNames),
  /** Empty: the records themselves are counted. */
  column: text,
  segment: z.array(draftFilterSchema),
});
export type DraftMetric = z.infer<typeof draftMetricSchema>;

const endSchema = text.default("");
const rightSchema = z.object({ keys: z.array(text), title: text, min: endSchema, max: endSchema });
const noRight = { keys: [], title: "", min: "", max: "" };

/** A chart in the builder, maybe unfinished: its definition, with each field as typed. */
const draftSchema = chartDefinitionSchema.extend({
  name: text,
  source: text,
  groupBy: z.array(z.object({ id, column: text })),
  metrics: z.array(draftMetricSchema),
  filters: z.array(draftFilterSchema),
  /** The goal and the ends of the axis are percentages where the numbers are. */
  display: chartDisplaySchema.extend({
    goal: z.object({ text, label: text }),
    axis: z
      .object({ title: text, min: text, max: text, right: rightSchema.default(noRight) })
      .default({ title: "", min: "", max: "", right: noRight }),
  }),
});
export type Draft = z.infer<typeof draftSchema>;

/** A draft as its tab saves it, with the version and time of the stored chart that it began with. */
export const savedDraftSchema = z.object({
  version: z.int().nullable(),
  updatedAt: z.string().nullable().default(null),
  draft: draftSchema,
});
export type SavedDraft = z.infer<typeof savedDraftSchema>;
