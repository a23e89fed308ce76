import { z } from "zod";
import { maxAges } from "@/lib/charts/definition/dashboard";
import { isPeriod } from "@/lib/charts/definition/period";
import { daySchema, storableText } from "@/lib/storable";

const day = daySchema.optional().catch(undefined);

/**
 * What all charts of a dashboard are narrowed to, as it stands in the address, where nonsense counts as missing: days on
 * which lines were keyed, relative ones (`days`) or with both ends; a county, empty for "not given"; who keyed; who
 * collected.
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

/** How old the charts of a dashboard may get, as a form or the database gives it. */
export const maxAgeSchema = z.literal(maxAges.map(([age]) => age));
