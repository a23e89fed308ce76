import "server-only";
import { z } from "zod";
import type { MaxAge } from "@/lib/charts/definition/dashboard";
import type { ChartDefinition } from "@/lib/charts/definition/definition";
import { chartRefusals, dashboardRenamed, textChanged } from "@/lib/charts/messages";
import { callInTime } from "@/lib/charts/store/generate";
import { type ActorAndPlace, scopeArgs } from "@/lib/charts/store/read";
import { callSql } from "@/lib/supabase/call-sql";

// Each throws an AppError of `chartRefusals` when the database refuses; then nothing has changed.

type OneChart = { actorId: string; id: string };

const savedSchema = z.object({ id: z.guid(), version: z.int() });

/**
 * Stores a new chart at the end of a dashboard, or changes the `existing` one. Its version and last change (`updatedAt`) must
 * still be those that were edited. Nothing is generated. Throws ChartProblem for a definition that can't run.
 */
export async function saveChart({
  actorId,
  place,
  dashboardId = null,
  existing,
  definition,
}: ActorAndPlace & {
  dashboardId?: string | null;
  existing?: z.infer<typeof savedSchema> & { updatedAt?: string | undefined };
  definition: ChartDefinition;
}) {
  const { team, campaign = null } = place;
  const chart = { ...definition, team, campaign, dashboard: dashboardId, ...existing };
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
export async function restoreChart({ id, ...scope }: ActorAndPlace & OneChart): Promise<void> {
  await callSql("restore_chart", { ...scopeArgs(scope), p_id: id }, done, { refusals: chartRefusals });
}

/**
 * Puts the charts of a place in this order. Charts that aren't named, because someone has just added them, follow in the
 * order they had; ids of other places change nothing.
 */
export async function orderCharts({ ids, ...scope }: ActorAndPlace & { ids: string[] }): Promise<void> {
  await callSql("order_charts", { ...scopeArgs(scope), p_ids: ids }, done, { refusals: chartRefusals });
}

/** Sets how old the charts of a dashboard may get. */
export async function setMaxAge({ maxAge, ...scope }: ActorAndPlace & { maxAge: MaxAge }): Promise<void> {
  await callSql("set_max_age", { ...scopeArgs(scope), p_max_age: maxAge }, done, { refusals: chartRefusals });
}

/** Sets how many thirds of its dashboard a chart is wide. */
export async function resizeChart({ actorId, id, width }: OneChart & { width: number }): Promise<void> {
  await callSql("resize_chart", { p_actor_id: actorId, p_id: id, p_width: width }, done, { refusals: chartRefusals });
}

/** Moves a chart or text to the end of another dashboard of its place; null is the first one. */
export async function moveChart({ actorId, id, dashboardId }: OneChart & { dashboardId: string | null }) {
  const args = { p_actor_id: actorId, p_id: id, p_dashboard_id: dashboardId };
  await callSql("move_chart", args, done, { refusals: chartRefusals });
}

type Text = ActorAndPlace & {
  dashboardId: string | null;
  existing?: z.infer<typeof savedSchema>;
  name: string;
  text: string;
};

/** Stores a new text at the end of a dashboard, or changes the `existing` one if it still has the version that was edited. */
export async function saveText({ dashboardId, existing, name, text, ...scope }: Text): Promise<void> {
  const card = { p_id: existing?.id ?? null, p_version: existing?.version ?? 0, p_name: name, p_text: text };
  await callSql("save_text", { ...scopeArgs(scope), p_dashboard_id: dashboardId, ...card }, done, {
    refusals: { ...chartRefusals, changed: textChanged },
  });
}

type NewName = ActorAndPlace & { dashboardId: string | null; name: string; before?: string | undefined };

/** Adds a dashboard to a place, or renames the one with this id if it still has the name `before`. Returns its id. */
export async function saveDashboard({ dashboardId, name, before = "", ...scope }: NewName) {
  const args = { ...scopeArgs(scope), p_id: dashboardId, p_name: name, p_before: before };
  const saved = await callSql("save_dashboard", args, savedSchema.pick({ id: true }), {
    refusals: { ...chartRefusals, renamed: (now) => dashboardRenamed(z.object({ name: z.string() }).parse(now).name) },
  });
  return saved.id;
}

/** Deletes a dashboard with its charts. */
export async function deleteDashboard({ dashboardId, ...scope }: ActorAndPlace & { dashboardId: string }) {
  await callSql("delete_dashboard", { ...scopeArgs(scope), p_id: dashboardId }, done, { refusals: chartRefusals });
}
