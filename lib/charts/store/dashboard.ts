import "server-only";
import { z } from "zod";
import { hasFilter, maxAges } from "@/lib/charts/definition/dashboard";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { filterChart } from "@/lib/charts/store/generate";
import { listCharts } from "@/lib/charts/store/read";
import { listChartSources } from "@/lib/charts/store/records";
import { timeLimits } from "@/lib/charts/store/time-limits";
import type { Place } from "@/lib/ids";
import { callSql, placeArgs } from "@/lib/supabase/call-sql";

export const maxAgeSchema = z.literal(maxAges.map(([age]) => age));

const settingsSchema = z.object({
  maxAge: maxAgeSchema,
  dashboards: z.array(z.object({ id: z.guid(), name: z.string() })),
  counties: z.array(z.string()),
  clerks: z.array(z.object({ id: z.guid(), name: z.string() })),
  circulators: z.array(z.string()),
});
/** What a dashboard can be filtered by. */
export type FilterChoices = Omit<z.infer<typeof settingsSchema>, "maxAge" | "dashboards">;

const freshnessSchema = z.record(
  z.string(),
  z.object({ isStale: z.boolean(), failed: z.boolean(), staleAt: z.string().nullable(), newer: z.int() }),
);
const noFreshness = { isStale: false, failed: false, staleAt: null, newer: 0 };
const maxConcurrent = 4; // a full dashboard would otherwise take all database connections

type DashboardScope = { place: Place; dashboardId: string | null };

/** The version of a dashboard, which differs when its cards, their order, their numbers or its settings have changed. */
export async function readDashboardVersion({
  place,
  dashboardId,
  isFiltered,
}: DashboardScope & { isFiltered: boolean }) {
  const args = { ...placeArgs(place), p_dashboard_id: dashboardId, p_filtered: isFiltered };
  return callSql("dashboard_version", args, z.string());
}

/**
 * What a person sees on a dashboard: its charts with their freshness, or computed with a filter within 15 s; and what it can
 * be filtered by. A withheld chart has no freshness. Null if there's no such dashboard. Guard `charts.view` first.
 */
export async function readDashboard({
  filter,
  userId,
  ...shown
}: DashboardScope & { filter: DashboardFilter; userId: string }) {
  const version = await readDashboardVersion({ ...shown, isFiltered: hasFilter(filter) }); // before what it is about
  const [stored, sources, { maxAge, dashboards, ...choices }] = await Promise.all([
    listCharts({ actorId: userId, ...shown }),
    listChartSources(),
    callSql("read_dashboard", placeArgs(shown.place), settingsSchema),
  ]);
  if (shown.dashboardId !== null && !dashboards.some(({ id }) => id === shown.dashboardId)) return null;
  const ids = stored.filter(({ withheld, text }) => !withheld && text === null).map(({ id }) => id);
  const freshness = await callSql("chart_freshness", { p_ids: ids }, freshnessSchema);
  const unfiltered = { narrowed: [], missing: [], carried: null, leftOut: 0, failure: null };
  const charts = stored.map((chart) => ({ ...chart, ...(freshness[chart.id] ?? noFreshness), ...unfiltered }));
  const settings = { sources, choices, maxAge, dashboards, version };
  if (!hasFilter(filter)) return { charts, ...settings };

  const signal = AbortSignal.timeout(timeLimits.response);
  const filtered: DashboardChart[] = [...charts];
  const remaining = charts.entries(); // shared: each worker takes the next
  const counts = new Map<string, Promise<number>>();
  const shared = { sources, filter, userId, counts, signal };
  const work = async () => {
    for (const [index, chart] of remaining) filtered[index] = await filterChart({ chart, ...shared });
  };
  await Promise.all(Array.from({ length: maxConcurrent }, work));
  return { charts: filtered, ...settings };
}
