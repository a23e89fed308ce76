import "server-only";
import { z } from "zod";
import type { MaxAge } from "@/lib/charts/definition/dashboard";
import type { ChartDefinition } from "@/lib/charts/definition/definition";
import { chartRefusals } from "@/lib/charts/messages";
import { runInTime } from "@/lib/charts/store/generate";
import { askerArgs, type InPlace } from "@/lib/charts/store/read";
import { readOutcome } from "@/lib/outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

// Each throws an AppError of `chartRefusals` when the database refuses; then nothing has changed.

type OneChart = { actorId: string; id: string };

const savedSchema = z.object({ id: z.guid(), version: z.int() });

/**
 * Stores a new chart at the end of its dashboard, or changes the `existing` one if it still has the version that was
 * edited. Nothing is generated. Throws ChartProblem for a definition that can't run.
 */
export async function saveChart({
  actorId,
  place,
  existing,
  definition,
}: InPlace & { existing?: z.infer<typeof savedSchema>; definition: ChartDefinition }) {
  const chart = { ...definition, team: place.team, campaign: place.campaign ?? null, ...existing };
  const call = createAdminClient().rpc("save_chart", { p_actor_id: actorId, p_chart: chart });
  return readOutcome(await runInTime(call), savedSchema, chartRefusals);
}

/** Copies a chart and its numbers to the place after it. Returns the id of the copy. */
export async function duplicateChart({ actorId, id }: OneChart): Promise<string> {
  const result = await createAdminClient().rpc("duplicate_chart", { p_actor_id: actorId, p_id: id });
  return readOutcome(unwrap(result), savedSchema.pick({ id: true }), chartRefusals).id;
}

const requireDone = (outcome: unknown) => void readOutcome(outcome, z.literal("done"), chartRefusals);

/** Takes a chart off its dashboard; `restoreChart` puts it back. */
export async function deleteChart({ actorId, id }: OneChart): Promise<void> {
  requireDone(unwrap(await createAdminClient().rpc("delete_chart", { p_actor_id: actorId, p_id: id })));
}

/** Puts a deleted chart back where it was. */
export async function restoreChart({ id, ...asked }: InPlace & OneChart): Promise<void> {
  requireDone(unwrap(await createAdminClient().rpc("restore_chart", { ...askerArgs(asked), p_id: id })));
}

/**
 * Puts the charts of a place in this order. Charts that aren't named, because someone has just added them, follow in the
 * order they had; ids of other places change nothing.
 */
export async function orderCharts({ ids, ...asked }: InPlace & { ids: string[] }): Promise<void> {
  requireDone(unwrap(await createAdminClient().rpc("order_charts", { ...askerArgs(asked), p_ids: ids })));
}

/** Sets how old the charts of a dashboard may get. */
export async function setMaxAge({ maxAge, ...asked }: InPlace & { maxAge: MaxAge }): Promise<void> {
  requireDone(unwrap(await createAdminClient().rpc("set_max_age", { ...askerArgs(asked), p_max_age: maxAge })));
}
