import { z } from "zod";
import { isPeriod } from "@/lib/charts/definition/period";
import { ignoredFields, ignoreInvalidFields } from "@/lib/lenient";
import { daySchema, storableText } from "@/lib/storable";

const severalOf = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([schema.transform((value) => [value]), z.array(schema).max(100)]).optional();

const strict = z.object({
  days: z.string().refine(isPeriod).optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  county: severalOf(storableText.max(200)),
  clerk: severalOf(z.guid()),
  circulator: severalOf(storableText.min(1).max(200)),
});

/**
 * The filter of a whole dashboard as its address has it; an invalid part counts as missing. Lines entered on certain days
 * (`days` if relative, otherwise from … to), of some counties, clerks or circulators. An empty county means “not given”.
 */
export const dashboardFilterSchema = ignoreInvalidFields(strict);
export type DashboardFilter = z.infer<typeof dashboardFilterSchema>;

const labels = {
  days: "Date entered",
  from: "First day",
  to: "Last day",
  county: "County",
  clerk: "Clerk",
  circulator: "Circulator",
};
/** What an address asks of a dashboard that isn't a filter: `Entered “foo”`. */
export const ignoredDashboardFilters = (query: Record<string, unknown>) => ignoredFields(strict, query, labels);
