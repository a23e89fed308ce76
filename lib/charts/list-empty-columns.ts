import "server-only";
import { z } from "zod";
import { runInTime } from "@/lib/charts/run-in-time";
import type { Place } from "@/lib/ids";
import { logFailure } from "@/lib/log-event";
import { createAdminClient } from "@/lib/supabase/admin";

const answerSchema = z.record(z.string(), z.array(z.string()));
export type EmptyColumns = z.infer<typeof answerSchema>;

/**
 * The columns of each source that no record of a place has a value in. It only shortens what the builder offers: where it
 * cannot be told, there are none. Guard `charts.edit` first.
 */
export async function listEmptyColumns(place: Place): Promise<EmptyColumns> {
  const call = createAdminClient().rpc("chart_empty_columns", {
    p_team_id: place.team,
    p_campaign_id: place.campaign ?? null,
  });
  try {
    return answerSchema.parse(await runInTime(call));
  } catch (thrown) {
    logFailure("The columns without values are not known.", thrown);
    return {};
  }
}
