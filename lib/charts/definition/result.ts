import { z } from "zod";
import { chartMetricSchema, chartQuerySchema, storedMetricSchema } from "@/lib/charts/definition/definition";
import { isStorable } from "@/lib/storable";

// Not z.record: it drops a column that is called `__proto__`.
const groupSchema = z.custom<Record<string, z.core.util.JSONType>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

/**
 * The generated data of a chart. A number of a group that JavaScript cannot hold exactly stands there as its text. Over
 * days and moments `min` and `max` are milliseconds since 1970 in UTC, as `Date` takes them.
 */
export const chartResultSchema = z.object({
  source: z.string(),
  groupBy: z.string(),
  metrics: z.array(storedMetricSchema),
  rows: z.array(
    z.object({
      /** The group's values joined with `|||`, null as an empty text. Two rows can have the same: `group` tells them apart. */
      key: z.string(),
      group: groupSchema,
      values: z.record(z.string(), z.number().nullable()),
    }),
  ),
  /** Records after the filters, before segments. */
  recordCount: z.number(),
  groupCount: z.number(),
  /** ISO 8601 in UTC: as of when the records were read. */
  generatedAt: z.string(),
});
export type ChartResult = z.infer<typeof chartResultSchema>;
export type ChartRow = ChartResult["rows"][number];

const group = chartResultSchema.shape.rows.element.shape.group.refine(
  (value) => isStorable(value),
  "contains a character that can't be stored",
);

/** One number of a chart, as a request names it: what is computed, the group, and the metric. */
export const askedCellSchema = chartQuerySchema.pick({ source: true, groupBy: true, filters: true }).extend({
  group,
  metric: chartMetricSchema,
  /** When the number was computed: its relative days are those of that moment. */
  at: z.iso.datetime().optional(),
});
export type AskedCell = z.infer<typeof askedCellSchema>;
