import { z } from "zod";
import { chartResultSchema } from "@/lib/charts/chart-result";
import { chartSourceSchema } from "@/lib/charts/chart-source";

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
