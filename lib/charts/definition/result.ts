import { z } from "zod";
import {
  chartMetricSchema,
  chartNameSchema,
  chartQuerySchema,
  storedMetricSchema,
} from "@/lib/charts/definition/definition";
import { isStorable } from "@/lib/storable";

// Not z.record: it drops a column that is called `__proto__`.
const groupSchema = z.custom<Record<string, z.core.util.JSONType>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

/**
 * The generated data of a chart. A group's number that JavaScript can't hold exactly is text. `min` and `max` of dates and
 * times are milliseconds since 1970 in UTC.
 */
export const chartResultSchema = z.object({
  source: z.string(),
  groupBy: z.string(),
  metrics: z.array(storedMetricSchema),
  rows: z.array(
    z.object({
      /** The group's values joined with `|||`, null as empty text. Only `group` is unique. */
      key: z.string(),
      group: groupSchema,
      values: z.record(z.string(), z.number().nullable()),
    }),
  ),
  /** Records after the filters, before segments. */
  recordCount: z.number(),
  groupCount: z.number(),
  /** When the records were read: ISO 8601 in UTC. */
  generatedAt: z.string(),
});
export type ChartResult = z.infer<typeof chartResultSchema>;
export type ChartRow = ChartResult["rows"][number];

const group = chartResultSchema.shape.rows.element.shape.group.refine(
  (value) => isStorable(value),
  "contains a character that can't be stored",
);

/** One number of a chart in a request: what is computed, the group, and the metric. */
export const cellQuerySchema = chartQuerySchema.pick({ source: true, groupBy: true, filters: true }).extend({
  group,
  metric: chartMetricSchema,
  /** When the number was computed: its relative dates are those of that time. */
  at: z.iso.datetime().optional(),
});
export type CellQuery = z.infer<typeof cellQuerySchema>;

/** The order of records: by a column, which must be one of the source. */
export const recordsSortSchema = z.object({ column: chartNameSchema, descending: z.boolean() });
export type RecordsSort = z.infer<typeof recordsSortSchema>;
