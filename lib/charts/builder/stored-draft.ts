import { z } from "zod";
import { newDraftId } from "@/lib/charts/builder/draft-filters";
import { chartDisplaySchema, chartFilterSchema } from "@/lib/charts/definition/definition";
import { aggregationNames, chartKinds, filterOperators } from "@/lib/charts/definition/words";

const id = z.int().transform(() => newDraftId()); // of this page

const filters = z.array(
  z.object({
    id,
    column: z.string(),
    operator: z.enum([...filterOperators, "missing", "given", "between", "starts", "last"]),
    values: z.array(z.string()),
    untouched: z.array(chartFilterSchema).optional(),
  }),
);

/** A chart as it is built, as a tab keeps it, and the version of the stored chart that it began with. */
export const keptDraftSchema = z.object({
  version: z.int().nullable(),
  draft: z.object({
    name: z.string(),
    kind: z.enum(chartKinds),
    source: z.string(),
    groupBy: z.array(z.object({ id, column: z.string() })),
    metrics: z.array(
      z.object({
        id,
        key: z.string(),
        label: z.string(),
        aggregation: z.enum(aggregationNames),
        column: z.string(),
        segment: filters,
      }),
    ),
    filters,
    display: chartDisplaySchema
      .omit({ goal: true })
      .extend({ goal: z.object({ text: z.string(), label: z.string() }) }),
  }),
});
