import "server-only";
import { aggregateChart } from "@/lib/charts/aggregate-chart";
import type { ChartSource } from "@/lib/charts/chart-source";
import type { DashboardChart } from "@/lib/charts/dashboard-chart";
import type { DashboardFilter } from "@/lib/charts/dashboard-filter";
import { narrowTo } from "@/lib/charts/narrow-to";
import { AppError } from "@/lib/errors";
import { requireRate } from "@/lib/http/require-rate";
import { logFailure } from "@/lib/log-event";

/**
 * A chart as it is under a dashboard's filter, computed and not stored; as it is stored where its source has none of the
 * columns, or it is withheld. What cannot be computed says why, and shows no numbers. Counted against the limit of previews.
 */
export async function filterChart({
  chart,
  sources,
  filter,
  userId,
  signal,
}: {
  chart: DashboardChart;
  sources: ChartSource[];
  filter: DashboardFilter;
  userId: string;
  signal: AbortSignal;
}): Promise<DashboardChart> {
  if (chart.withheld) return chart;
  const columns = sources.find(({ name }) => name === chart.source)?.columns ?? [];
  const { filters, missing } = narrowTo(filter, chart.problem === null ? columns : []);
  if (filters.length === 0) return { ...chart, missing };
  const place = { team: chart.team, ...(chart.campaign !== null && { campaign: chart.campaign }) };
  const narrowed = { ...chart, narrowed: filters, missing, isStale: false, failed: false, newer: 0, outdated: false };
  try {
    await requireRate("preview", userId);
    const query = { ...chart, filters: [...chart.filters, ...filters] };
    return { ...narrowed, data: await aggregateChart({ actorId: userId, place, query, signal }) };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    if (thrown.status >= 500) logFailure(thrown.message, thrown.cause);
    const { message: error, status, part = null, retryAfter = null } = thrown;
    return { ...narrowed, data: null, failure: { error, status, part, retryAfter } };
  }
}
