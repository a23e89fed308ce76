// Comes with the first answer, not with the page: a schema library is large.
import { z } from "zod";
import { chartResultSchema } from "@/lib/charts/chart-result";
import { chartSourceSchema } from "@/lib/charts/chart-source";

/** What the preview route answers: the result, and how long it took on the server. */
export const previewAnswer = z.object({ result: chartResultSchema, milliseconds: z.number() });

/** What the values route answers: values of a column, and how many records have each. */
export const valuesAnswer = z.object({ values: z.array(z.object({ value: z.json(), count: z.number() })) });

/** What the records route answers: a value for each column, in their order, and how many records there are in all. */
export const recordsAnswer = z.object({
  columns: chartSourceSchema.shape.columns,
  records: z.array(z.array(z.json())),
  total: z.number(),
});

/** What generating a chart answers. */
export const chartAnswer = chartResultSchema;
