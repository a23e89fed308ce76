import "server-only";
import { z } from "zod";
import { isOrdered, signersHiddenMessage } from "@/lib/charts/definition/columns";
import { toConditions } from "@/lib/charts/definition/dashboard";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import type { ChartCondition, ChartFilter, ChartQuery } from "@/lib/charts/definition/definition";
import { type ChartResult, chartResultSchema } from "@/lib/charts/definition/result";
import type { ChartColumn, ChartSource } from "@/lib/charts/definition/source";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { groupNames } from "@/lib/charts/display/fold-others";
import { generateRefusals, tookTooLong } from "@/lib/charts/messages";
import { type ActorAndPlace, chartPlace, scopeArgs } from "@/lib/charts/store/read";
import { timeLimits } from "@/lib/charts/store/time-limits";
import { AppError } from "@/lib/errors";
import { enforceRateLimit } from "@/lib/http/enforce-rate-limit";
import { logFailure } from "@/lib/log-event";
import { callSql, type Refusals, readOutcome, type Schema, type SqlFunctions } from "@/lib/supabase/call-sql";

/** A definition that can't run, with the `part` where it fails. */
export class ChartProblem extends AppError {
  constructor(message: string, part: string) {
    // A message about a segment's filter doesn't name its measure.
    const measure = /^metrics\.(\d+)\.segment/.exec(part)?.[1];
    super("unprocessable", measure === undefined ? message : `Measure ${Number(measure) + 1}: ${message}`, {
      field: part,
    });
    this.name = "ChartProblem";
  }
}

const refusedSchema = z.object({
  refused: z.union([
    z.object({ part: z.string(), message: z.string() }),
    z.object({ needs: z.literal("signatures.view") }),
  ]),
});

/**
 * What a SQL function over a chart's records returns, as `callSql`. Throws ChartProblem (422) for a definition that can't run.
 * Throws AppError `forbidden` if it identifies signers and the actor lacks `signatures.view`, and `gateway-timeout` after 15 s
 * or when the signal aborts.
 */
export async function callInTime<Name extends keyof SqlFunctions, Parsed>(
  name: Name,
  args: SqlFunctions[Name]["Args"],
  schema: Schema<Parsed>,
  {
    refusals = {},
    signal = AbortSignal.timeout(timeLimits.response),
  }: { refusals?: Refusals; signal?: AbortSignal } = {},
): Promise<Parsed> {
  const returned = await callSql(name, args, z.unknown(), {
    signal,
    errorOf: (cause) => (signal.aborted || cause.code === "57014" ? new AppError(...tookTooLong, { cause }) : null),
  });
  const refused = refusedSchema.safeParse(returned).data?.refused;
  if (refused && "needs" in refused) throw new AppError("forbidden", signersHiddenMessage);
  if (refused) throw new ChartProblem(refused.message, refused.part);
  return readOutcome(returned, schema, refusals);
}

type Aggregated = ActorAndPlace & { query: ChartQuery; signal?: AbortSignal };

/**
 * The exact result of a definition over the records of a place, for previews and filtered dashboards. It isn't stored.
 * Guard `charts.edit` first, or `charts.view` for a stored chart. Throws what `callInTime` throws.
 */
export async function aggregateChart({ query, signal, ...scope }: Aggregated): Promise<ChartResult> {
  const { source, groupBy, metrics, filters } = query;
  const definition = { p_source: source, p_group_by: groupBy, p_metrics: metrics, p_filters: filters };
  return callInTime("aggregate_chart", { ...scopeArgs(scope), ...definition }, chartResultSchema, { signal });
}

const generatedSchema = z.object({ data: chartResultSchema });

/**
 * Computes all of a chart's data and stores it (contract 4.5). It stores nothing if the definition has changed since. Returns
 * the stored data as JSON, so that long data is serialized once. Guard `charts.edit` for the chart's place first. Throws an
 * AppError of `generateRefusals` or what `callInTime` throws; then the stored data stays.
 */
export async function generateChart({ actorId, id }: { actorId: string; id: string }): Promise<string> {
  const beganAt = performance.now();
  const signal = AbortSignal.timeout(timeLimits.response);
  // The database read its clock before it returned, so its deadline passes no later than ours.
  const time = await callInTime("database_time", {}, z.number(), { signal });
  const deadline = new Date(time + timeLimits.store - (performance.now() - beganAt));
  const args = { p_actor_id: actorId, p_id: id, p_deadline: deadline.toISOString() };
  const options = { refusals: generateRefusals, signal };
  return JSON.stringify((await callInTime("generate_chart", args, generatedSchema, options)).data);
}

/**
 * A chart under a dashboard's filter, computed and not stored. It stays as stored where its source has none of the columns,
 * or it is withheld. If it can't be computed it has a `failure` and no numbers. Counts against the limit of previews.
 */
export async function filterChart({
  chart,
  sources,
  filter,
  userId,
  counts,
  signal,
}: {
  chart: DashboardChart;
  sources: ChartSource[];
  filter: DashboardFilter;
  userId: string;
  /** Counts that several charts of the dashboard need, by what they count. */
  counts: Map<string, Promise<number>>;
  signal: AbortSignal;
}): Promise<DashboardChart> {
  if (chart.withheld || chart.text !== null) return chart;
  const columns = sources.find(({ name }) => name === chart.source)?.columns ?? [];
  const { filters, missing } = toConditions(filter, chart.problem === null ? columns : []);
  if (filters.length === 0) return { ...chart, missing };
  const narrowed = {
    ...chart,
    narrowed: filters,
    missing,
    carried: null,
    isStale: false,
    failed: false,
    newer: 0,
    outdated: false,
  };
  try {
    await enforceRateLimit("preview", userId);
    const scope = { actorId: userId, place: chartPlace(chart), signal };
    const query = { ...chart, filters: [...chart.filters, ...filters] };
    const data = await aggregateChart({ ...scope, query });
    const before = beforeDays(chart, columns, filters);
    const carried = before && (await aggregateChart({ ...scope, query: before })).rows;
    const unknown = withoutCounty(chart, filters);
    return { ...narrowed, data, carried, leftOut: unknown ? await countOnce({ ...scope, query: unknown }, counts) : 0 };
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    if (thrown.status >= 500) logFailure(thrown.message, thrown.cause);
    const { message: error, status, field = null, retryAfterSeconds = null } = thrown;
    return { ...narrowed, data: null, failure: { error, status, part: field, retryAfterSeconds } };
  }
}

// What came before the days that a dashboard asks for, for a running total over them. Null where nothing is carried.
function beforeDays({ display, ...query }: DashboardChart, columns: ChartColumn[], narrowed: ChartFilter[]) {
  if (!display?.derived.some(({ kind }) => kind === "cumulated") || display.top) return null;
  const groups = groupNames(query.groupBy);
  const [axis] = groups.flatMap((name) => columns.filter((column) => column.name === name && isOrdered(column)));
  const isDay = (filter: ChartFilter): filter is ChartCondition =>
    "column" in filter && filter.column === "entered_at_day";
  const begin = narrowed.filter(isDay).filter(({ operator }) => operator !== "lte");
  if (axis?.type !== "date" || axis.part?.of !== "entered_at" || begin.length !== 1) return null;
  const before = begin.map((filter) => ({ ...filter, operator: "lt" as const }));
  return {
    ...query,
    groupBy: groups.filter((name) => name !== axis.name).join(","),
    filters: [...query.filters, ...narrowed.filter((filter) => !isDay(filter)), ...before],
  };
}

// What a filter by county leaves out because the county isn't known; null without such a filter.
function withoutCounty({ source, filters }: ChartQuery, narrowed: ChartFilter[]): ChartQuery | null {
  const isCounty = (filter: ChartFilter) =>
    "column" in filter && filter.column === "county" && ![filter.value].flat().includes(null);
  if (!narrowed.some(isCounty)) return null;
  const others = [...filters, ...narrowed.filter((filter) => !isCounty(filter))];
  const missing = { column: "county", operator: "eq" as const, value: null };
  const metrics = [{ key: "lines", aggregation: "count" as const }];
  return { source, groupBy: "", metrics, filters: [...others, missing] };
}

function countOnce(counted: Aggregated, counts: Map<string, Promise<number>>): Promise<number> {
  const key = JSON.stringify([counted.place, counted.query]);
  const count = counts.get(key) ?? aggregateChart(counted).then(({ recordCount }) => recordCount);
  counts.set(key, count);
  return count;
}

/**
 * Generates the charts that are older than their dashboard allows, each once however many people ask at the same time.
 * Runs after the page was sent, for the person who opened it: guard `charts.view` first. A failed chart stays as it is.
 */
export async function refreshCharts({ actorId, ids }: { actorId: string; ids: string[] }): Promise<void> {
  for (let turn = 0; turn < ids.length; turn += 1) {
    const id = await callSql("take_stale_chart", { p_ids: ids }, z.guid().nullable());
    if (id === null) return;
    try {
      await generateChart({ actorId, id });
    } catch (thrown) {
      if (!(thrown instanceof AppError)) logFailure("A chart could not be refreshed.", thrown);
      else if (thrown.status >= 500) logFailure(thrown.message, thrown.cause);
    }
  }
}
