import { z } from "zod";
import { isPeriod } from "@/lib/charts/definition/period";
import { ignoredFields, ignoreInvalidFields } from "@/lib/lenient";
import { daySchema, storableText } from "@/lib/storable";

const strict = z.object({
  days: z.string().refine(isPeriod).optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  county: storableText.max(200).optional(),
  clerk: z.guid().optional(),
  circulator: storableText.min(1).max(200).optional(),
});

/**
 * The filter of a whole dashboard as its address has it; an invalid part counts as missing. Lines entered on certain days, relative
 * (`days`) or from … to; a county, empty for "not given"; a clerk; a circulator.
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
