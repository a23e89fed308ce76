import "server-only";
import { type ChartValues, valuesAnswer } from "@/lib/charts/answers";
import { runInTime } from "@/lib/charts/run-in-time";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";

/**
 * Up to 20 values that a column has in a place, the most frequent first, with how many records have each; only those
 * whose text begins with the prefix, whatever its case. For the builder: guard `charts.edit` first. Throws ChartProblem, or
 * AppError `forbidden` for a column that tells who signed when the actor lacks `signatures.view` there.
 */
export async function listChartValues({
  actorId,
  place,
  source,
  column,
  prefix,
}: {
  actorId: string;
  place: Place;
  source: string;
  column: string;
  prefix: string;
}): Promise<ChartValues["values"]> {
  const call = createAdminClient().rpc("chart_values", {
    p_actor_id: actorId,
    p_source: source,
    p_team_id: place.team,
    p_campaign_id: place.campaign ?? null,
    p_column: column,
    p_prefix: prefix,
  });
  return valuesAnswer.shape.values.parse(await runInTime(call));
}
