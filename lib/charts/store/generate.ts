import "server-only";
import type { PostgrestError } from "@supabase/supabase-js";
import { z } from "zod";
import { signersWithheld } from "@/lib/charts/definition/columns";
import { narrowTo } from "@/lib/charts/definition/dashboard";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import type { ChartQuery } from "@/lib/charts/definition/definition";
import { type ChartResult, chartResultSchema } from "@/lib/charts/definition/result";
import type { ChartSource } from "@/lib/charts/definition/source";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { missingChart } from "@/lib/charts/store/read";
import { timeLimits } from "@/lib/charts/store/time-limits";
import { AppError } from "@/lib/errors";
import { requireRate } from "@/lib/http/require-rate";
import type { Place } from "@/lib/ids";
import { logFailure } from "@/lib/log-event";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/** A definition that cannot run, with the `part` where it fails. */
export class ChartProblem extends AppError {
  constructor(message: string, part: string) {
    // What is wrong with a filter says nothing of the measure that it belongs to.
    const measure = /^metrics\.(\d+)\.segment/.exec(part)?.[1];
    super("unprocessable", measure === undefined ? message : `Measure ${Number(measure) + 1}: ${message}`, { part });
    this.name = "ChartProblem";
  }
}

const refusedSchema = z.object({
  refused: z.union([
    z.object({ part: z.string(), message: z.string() }),
    z.object({ needs: z.literal("signatures.view") }),
  ]),
});

type Asked = { abortSignal(signal: AbortSignal): PromiseLike<{ data: unknown; error: PostgrestError | null }> };

/**
 * What a function over a chart's records answers. Throws ChartProblem (422) for a definition that cannot run, and AppError
 * `forbidden` for what tells who signed to an actor without `signatures.view`, `gateway-timeout` after 15 s, or when the
 * signal of several calls says so.
 */
export async function runInTime(call: Asked, signal = AbortSignal.timeout(timeLimits.answer)): Promise<unknown> {
  const { data, error } = await call.abortSignal(signal);
  const refused = refusedSchema.safeParse(data).data?.refused;
  if (refused && "needs" in refused) throw new AppError("forbidden", signersWithheld);
  if (refused) throw new ChartProblem(refused.message, refused.part);
  if (error !== null && (signal.aborted || error.code === "57014")) throw tookTooLong(error);
  return error === null ? data : unwrap({ data, error });
}

/** A chart that was not computed within its time. */
function tookTooLong(cause?: unknown): AppError {
  return new AppError("gateway-timeout", "The chart took longer than 15 seconds. Narrow it with a filter.", { cause });
}

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

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("done"), data: chartResultSchema }),
  z.object({ outcome: z.enum(["changed", "late", "not-found"]) }),
]);

/**
 * Computes a chart's data and stores it (contract 4.5): whole, and only while the definition is the one that was
 * computed. Answers what is stored, as the JSON of a ChartResult: a long one is written once. Guard `charts.edit` for the
 * chart's team and campaign first. Throws AppError `not-found`, `conflict`, `gateway-timeout`, `forbidden` for a chart that
 * tells who signed when the actor lacks `signatures.view` in its place, or ChartProblem; then what was stored stays.
 */
export async function generateChart({ actorId, id }: { actorId: string; id: string }): Promise<string> {
  const admin = createAdminClient();
  const beganAt = performance.now();
  const signal = AbortSignal.timeout(timeLimits.answer);
  // The database's time was this or later when its answer came, so its clock has passed the deadline when ours is over.
  const time = z.number().parse(await runInTime(admin.rpc("database_time"), signal));
  const deadline = new Date(time + timeLimits.store - (performance.now() - beganAt));
  const call = admin.rpc("generate_chart", { p_actor_id: actorId, p_id: id, p_deadline: deadline.toISOString() });
  const answer = answerSchema.parse(await runInTime(call, signal));
  switch (answer.outcome) {
    case "done":
      return JSON.stringify(answer.data);
    case "changed":
      throw new AppError("conflict", "The chart was changed while it was computed. Generate it again.");
    case "late":
      throw tookTooLong();
    case "not-found":
      throw missingChart();
  }
}

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

/**
 * Generates those of the charts that are older than their dashboard lets them get, each once for all who ask at the same
 * time. For the page that shows them, after its answer, in the name of who opened it: guard `charts.view` where each is
 * first. One that cannot be generated stays as it is, and the others come.
 */
export async function refreshCharts({ actorId, ids }: { actorId: string; ids: string[] }): Promise<void> {
  for (let turn = 0; turn < ids.length; turn += 1) {
    const taken = await createAdminClient().rpc("take_stale_chart", { p_ids: ids });
    const id = z.guid().nullable().parse(unwrap(taken));
    if (id === null) return;
    try {
      await generateChart({ actorId, id });
    } catch (thrown) {
      if (!(thrown instanceof AppError)) logFailure("A chart could not be generated anew.", thrown);
      else if (thrown.status >= 500) logFailure(thrown.message, thrown.cause);
    }
  }
}
