import "server-only";
import { z } from "zod";
import type { ChartMetric } from "@/lib/charts/chart-definition";
import type { ChartFilter } from "@/lib/charts/chart-filter";
import type { ChartRow } from "@/lib/charts/chart-result";
import { chartSourceSchema } from "@/lib/charts/chart-source";
import { requireDone } from "@/lib/charts/require-done";
import { runInTime } from "@/lib/charts/run-in-time";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";

const recordsSchema = z.object({
  columns: chartSourceSchema.shape.columns,
  /** A value for each column, in their order. A number that JavaScript cannot hold exactly is its text. */
  records: z.array(z.array(z.json())),
  /** How many there are on all pages. */
  total: z.int(),
  /** What asks for the following page, whatever comes and goes meanwhile; null when there is none. */
  next: z.object({ after: z.object({ sorted: z.string(), words: z.string() }), offset: z.int() }).nullable(),
});
export type ChartRecords = z.infer<typeof recordsSchema>;

/** One number of a chart: the chart's query, a row's `group` and a metric of it. Without a metric: all of the group. */
export type ChartCell = {
  source: string;
  groupBy: string;
  filters: ChartFilter[];
  group: ChartRow["group"];
  metric?: ChartMetric;
};

/**
 * A page of exactly the records that a number of a chart counts: of the group, with filters and segment, and where the
 * metric has a column, with a value there. At most 5 000 a page. Needs `charts.view` and `signatures.view` in the place, which is asked again here. Throws
 * ChartProblem, AppError `forbidden`, or `gateway-timeout` after 15 s.
 */
export async function listChartRecords({
  actorId,
  place,
  cell,
  offset,
  limit,
  after = null,
}: {
  actorId: string;
  place: Place;
  cell: ChartCell;
  offset: number;
  limit: number;
  after?: NonNullable<ChartRecords["next"]>["after"] | null;
}): Promise<ChartRecords> {
  const call = createAdminClient().rpc("chart_records", {
    p_actor_id: actorId,
    p_team_id: place.team,
    p_campaign_id: place.campaign ?? null,
    p_cell: cell,
    p_offset: offset,
    p_limit: limit,
    p_after: after ?? null,
  });
  const answer = await runInTime(call);
  if (typeof answer === "string") requireDone(answer);
  return recordsSchema.parse(answer);
}
