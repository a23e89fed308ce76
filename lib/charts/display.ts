import { z } from "zod";
import { metricKeySchema } from "@/lib/charts/metric-key";
import { storableText } from "@/lib/storable";

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
