import "server-only";
import { z } from "zod";
import type { MaxAge } from "@/lib/charts/definition/dashboard";
import type { ChartDefinition } from "@/lib/charts/definition/definition";
import { chartRefusals } from "@/lib/charts/messages";
import { callInTime } from "@/lib/charts/store/generate";
import { askerArgs, type InPlace } from "@/lib/charts/store/read";
import { callSql } from "@/lib/supabase/call-sql";

// Each throws an AppError of `chartRefusals` when the database refuses; then nothing has changed.

type OneChart = { actorId: string; id: string };

const savedSchema = z.object({ id: z.guid(), version: z.int() });

/**
 * Stores a new chart at the end of its dashboard, or changes the `existing` one if it still has the version that was
 * edited, and it was last changed at `updatedAt`. Nothing is generated. Throws ChartProblem for a definition that can't run.
 */
export async function saveChart({
  actorId,
  place,
  existing,
  definition,
}: InPlace & {
  existing?: z.infer<typeof savedSchema> & { updatedAt?: string | undefined };
  definition: ChartDefinition;
}) {
  const chart = { ...definition, team: place.team, campaign: place.campaign ?? null, ...existing };
  return callInTime("save_chart", { p_actor_id: actorId, p_chart: chart }, savedSchema, { refusals: chartRefusals });
}

/** Copies a chart and its numbers to the place after it. Returns the id of the copy. */
export async function duplicateChart({ actorId, id }: OneChart): Promise<string> {
  const args = { p_actor_id: actorId, p_id: id };
  return (await callSql("duplicate_chart", args, savedSchema.pick({ id: true }), { refusals: chartRefusals })).id;
}

const done = z.literal("done");

/** Takes a chart off its dashboard; `restoreChart` puts it back. */
export async function deleteChart({ actorId, id }: OneChart): Promise<void> {
  await callSql("delete_chart", { p_actor_id: actorId, p_id: id }, done, { refusals: chartRefusals });
}

/** Puts a deleted chart back where it was. */
export async function restoreChart({ id, ...asked }: InPlace & OneChart): Promise<void> {
  await callSql("restore_chart", { ...askerArgs(asked), p_id: id }, done, { refusals: chartRefusals });
}

/**
 * Puts the charts of a place in this order. Charts that aren't named, because someone has just added them, follow in the
 * order they had; ids of other places change nothing.
 */
export async function orderCharts({ ids, ...asked }: InPlace & { ids: string[] }): Promise<void> {
  await callSql("order_charts", { ...askerArgs(asked), p_ids: ids }, done, { refusals: chartRefusals });
}

/** Sets how old the charts of a dashboard may get. */
export async function setMaxAge({ maxAge, ...asked }: InPlace & { maxAge: MaxAge }): Promise<void> {
  await callSql("set_max_age", { ...askerArgs(asked), p_max_age: maxAge }, done, { refusals: chartRefusals });
}
