import "server-only";
import { z } from "zod";
import { runInTime } from "@/lib/charts/run-in-time";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";

const valuesSchema = z.array(z.object({ value: z.json(), count: z.int() }));

/**
 * Up to 20 values that a column has in a place, the most frequent first, with how many records have each; only those
 * whose text begins with the prefix, whatever its case. For the builder: guard `charts.edit` first. Throws ChartProblem.
 */
export async function listChartValues(
  place: Place,
  { source, column, prefix }: { source: string; column: string; prefix: string },
): Promise<z.infer<typeof valuesSchema>> {
  const call = createAdminClient().rpc("chart_values", {
    p_source: source,
    p_team_id: place.team,
    p_campaign_id: place.campaign ?? null,
    p_column: column,
    p_prefix: prefix,
  });
  return valuesSchema.parse(await runInTime(call));
}
