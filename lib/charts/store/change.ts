import "server-only";
import { z } from "zod";
import type { MaxAge } from "@/lib/charts/definition/dashboard";
import type { ChartDefinition } from "@/lib/charts/definition/definition";
import { runInTime } from "@/lib/charts/store/generate";
import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const outcomeSchema = z.enum(["done", "not-allowed", "not-found", "changed", "full"]);

/** Throws AppError with the reason when a change of charts was not made. Nothing has changed then. */
export function requireDone(outcome: unknown): void {
  switch (outcomeSchema.parse(outcome)) {
    case "done":
      return;
    case "not-allowed":
      throw new AppError("forbidden", "You may not change charts here any more. Reload the page; nothing was changed.");
    case "not-found":
      throw new AppError("not-found", "This chart is not there any more. Reload the page to see which charts are.");
    case "changed":
      throw new AppError(
        "conflict",
        "Somebody else has changed this chart meanwhile. Reload the page to see it as it is; nothing of yours was saved.",
      );
    case "full":
      throw new AppError(
        "conflict",
        "A dashboard has room for 100 charts, and this one is full. Delete a chart first.",
      );
  }
}

const savedSchema = z.object({ outcome: z.string(), id: z.guid().optional(), version: z.int().optional() });

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
  const { outcome, ...saved } = savedSchema.parse(await runInTime(call));
  requireDone(outcome);
  return savedSchema.required().omit({ outcome: true }).parse(saved);
}

const duplicatedSchema = z.object({ outcome: z.string(), id: z.guid().optional() });

/**
 * Copies a chart, with what was generated, right behind the original. Answers the copy's id. Throws AppError `not-found`
 * or `forbidden`.
 */
export async function duplicateChart(change: { actorId: string; id: string }): Promise<string> {
  const result = await createAdminClient().rpc("duplicate_chart", { p_actor_id: change.actorId, p_id: change.id });
  const { outcome, id } = duplicatedSchema.parse(unwrap(result));
  requireDone(outcome);
  return z.guid().parse(id);
}

/** Takes a chart off its dashboard; `restoreChart` brings it back as it was. Throws AppError `not-found` or `forbidden`. */
export async function deleteChart(change: { actorId: string; id: string }): Promise<void> {
  const result = await createAdminClient().rpc("delete_chart", { p_actor_id: change.actorId, p_id: change.id });
  requireDone(unwrap(result));
}

/** Brings a deleted chart of a place back, as it was. Throws AppError `not-found` or `forbidden`. */
export async function restoreChart(change: { actorId: string; place: Place; id: string }): Promise<void> {
  const result = await createAdminClient().rpc("restore_chart", {
    p_actor_id: change.actorId,
    p_team_id: change.place.team,
    p_campaign_id: change.place.campaign ?? null,
    p_id: change.id,
  });
  requireDone(unwrap(result));
}

/**
 * Puts the charts of a place in this order. Charts that are not named (somebody has just added them) follow in the order
 * that they had; ids of other places change nothing. Throws AppError `forbidden`.
 */
export async function orderCharts(change: { actorId: string; place: Place; ids: string[] }): Promise<void> {
  const result = await createAdminClient().rpc("order_charts", {
    p_actor_id: change.actorId,
    p_team_id: change.place.team,
    p_campaign_id: change.place.campaign ?? null,
    p_ids: change.ids,
  });
  requireDone(unwrap(result));
}

/** Sets how old the charts of a dashboard may get. Throws AppError `forbidden`. */
export async function setMaxAge(change: { actorId: string; place: Place; maxAge: MaxAge }): Promise<void> {
  const result = await createAdminClient().rpc("set_max_age", {
    p_actor_id: change.actorId,
    p_team_id: change.place.team,
    p_campaign_id: change.place.campaign ?? null,
    p_max_age: change.maxAge,
  });
  requireDone(unwrap(result));
}
