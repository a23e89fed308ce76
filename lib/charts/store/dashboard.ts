import "server-only";
import { z } from "zod";
import { narrows } from "@/lib/charts/definition/dashboard";
import { type DashboardFilter, maxAgeSchema } from "@/lib/charts/definition/dashboard-filter";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { filterChart } from "@/lib/charts/store/generate";
import { listCharts } from "@/lib/charts/store/read";
import { listChartSources } from "@/lib/charts/store/records";
import { timeLimits } from "@/lib/charts/store/time-limits";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const settingsSchema = z.object({
  maxAge: maxAgeSchema,
  counties: z.array(z.string()),
  clerks: z.array(z.object({ id: z.guid(), name: z.string() })),
  circulators: z.array(z.string()),
});
/** What a dashboard can be filtered by. */
export type FilterChoices = Omit<z.infer<typeof settingsSchema>, "maxAge">;

const freshnessSchema = z.record(
  z.string(),
  z.object({ isStale: z.boolean(), failed: z.boolean(), staleAt: z.string().nullable(), newer: z.int() }),
);
const noFreshness = { isStale: false, failed: false, staleAt: null, newer: 0 };
const atOnce = 4; // or a full dashboard takes all connections to the database

/**
 * What a person sees on a dashboard: its charts, each with how fresh it is, or under a filter computed by it, all within
 * 15 s; and what it can be filtered by. Of one that is withheld from them, not even that. Guard `charts.view` first.
 */
export async function readDashboard({
  place,
  filter,
  userId,
}: {
  place: Place;
  filter: DashboardFilter;
  userId: string;
}) {
  const admin = createAdminClient();
  const asked = admin.rpc("read_dashboard", { p_team_id: place.team, p_campaign_id: place.campaign ?? null });
  const [stored, sources, settings] = await Promise.all([
    listCharts({ actorId: userId, place }),
    listChartSources(),
    asked,
  ]);
  const { maxAge, ...choices } = settingsSchema.parse(unwrap(settings));

  const ids = stored.filter(({ withheld }) => !withheld).map(({ id }) => id);
  const freshness = freshnessSchema.parse(unwrap(await admin.rpc("chart_freshness", { p_ids: ids })));
  const charts = stored.map((chart): DashboardChart => {
    return { ...chart, ...(freshness[chart.id] ?? noFreshness), narrowed: [], missing: [], failure: null };
  });
  if (!narrows(filter)) return { charts, sources, choices, maxAge };

  const signal = AbortSignal.timeout(timeLimits.answer);
  const filtered = [...charts];
  const rest = charts.entries(); // of which each of them takes the next
  const filterRest = async () => {
    for (const [at, chart] of rest) filtered[at] = await filterChart({ chart, sources, filter, userId, signal });
  };
  await Promise.all(Array.from({ length: atOnce }, filterRest));
  return { charts: filtered, sources, choices, maxAge };
}
