import "server-only";
import { z } from "zod";
import type { ChartDefinition } from "@/lib/charts/chart-definition";
import { requireDone } from "@/lib/charts/require-done";
import { runInTime } from "@/lib/charts/run-in-time";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";

const answerSchema = z.object({ outcome: z.string(), id: z.guid().optional(), version: z.int().optional() });

/**
 * Stores a new chart at the end of its dashboard, or with `existing` changes that one, when it still has the version
 * that was edited. Nothing is generated. Throws ChartProblem for a definition that cannot run, AppError `conflict`,
 * `not-found` or `forbidden`; then nothing has changed.
 */
export async function saveChart({
  actorId,
  place,
  existing,
  definition,
}: {
  actorId: string;
  place: Place;
  existing?: { id: string; version: number };
  definition: ChartDefinition;
}): Promise<{ id: string; version: number }> {
  const call = createAdminClient().rpc("save_chart", {
    p_actor_id: actorId,
    p_chart: { ...definition, team: place.team, campaign: place.campaign ?? null, ...existing },
  });
  const { outcome, ...saved } = answerSchema.parse(await runInTime(call));
  requireDone(outcome);
  return answerSchema.required().omit({ outcome: true }).parse(saved);
}
