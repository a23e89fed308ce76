import { z } from "zod";
import { isPeriod } from "@/lib/charts/definition/period";
import { daySchema, storableText } from "@/lib/storable";

const day = daySchema.optional().catch(undefined);

/**
 * The filter of a whole dashboard as its address has it; nonsense counts as missing. Lines entered on certain days, relative
 * (`days`) or from … to; a county, empty for "not given"; a clerk; a circulator.
 */
export const dashboardFilterSchema = z.object({
  days: z.string().refine(isPeriod).optional().catch(undefined),
  from: day,
  to: day,
  county: storableText.max(200).optional().catch(undefined),
  clerk: z.guid().optional().catch(undefined),
  circulator: storableText.min(1).max(200).optional().catch(undefined),
});
export type DashboardFilter = z.infer<typeof dashboardFilterSchema>;
