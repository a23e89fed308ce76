import "server-only";
import type { ChartQuery } from "@/lib/charts/chart-definition";
import { type ChartResult, chartResultSchema } from "@/lib/charts/chart-result";
import { runInTime } from "@/lib/charts/run-in-time";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";

/**
 * The result of a definition over the records of a place, exact and not stored: for previews, and for a dashboard under a
 * filter. Guard `charts.edit` there first, or `charts.view` for a chart that is there. Throws ChartProblem, AppError
 * `forbidden` for one that tells who signed to an actor without `signatures.view` there, or `gateway-timeout` after 15 s or
 * when the signal says so.
 */
export async function aggregateChart({
  actorId,
  place,
  query,
  signal,
}: {
  actorId: string;
  place: Place;
  query: ChartQuery;
  signal?: AbortSignal;
}): Promise<ChartResult> {
  const call = createAdminClient().rpc("aggregate_chart", {
    p_actor_id: actorId,
    p_source: query.source,
    p_team_id: place.team,
    p_campaign_id: place.campaign ?? null,
    p_group_by: query.groupBy,
    p_metrics: query.metrics,
    p_filters: query.filters,
  });
  return chartResultSchema.parse(await runInTime(call, signal));
}
