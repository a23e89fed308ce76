import "server-only";
import { z } from "zod";
import { recordsAnswer } from "@/lib/charts/answers";
import type { AskedCell } from "@/lib/charts/asked-cell";
import { requireDone } from "@/lib/charts/require-done";
import { runInTime } from "@/lib/charts/run-in-time";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";

const pageSchema = recordsAnswer.extend({
  /** What asks for the following page, whatever comes and goes meanwhile; null when there is none. */
  next: z.object({ after: z.object({ sorted: z.string(), words: z.string() }), offset: z.int() }).nullable(),
});
type RecordsPage = z.infer<typeof pageSchema>;

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
  cell: AskedCell;
  offset: number;
  limit: number;
  after?: NonNullable<RecordsPage["next"]>["after"] | null;
}): Promise<RecordsPage> {
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
  return pageSchema.parse(answer);
}
