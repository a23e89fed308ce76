import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { type StoredChart, storedChartSchema } from "@/lib/charts/definition/stored-chart";
import { invalidChartId, missingChart } from "@/lib/charts/messages";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam, Place } from "@/lib/ids";
import { listTeamsLackingSecondFactor } from "@/lib/permissions/list-places";
import { PermissionRefused, secondFactorMissing } from "@/lib/permissions/messages";
import { routePermissions } from "@/lib/permissions/route-permissions";
import { createAdminClient } from "@/lib/supabase/admin";
import { callSql, placeArgs } from "@/lib/supabase/call-sql";
import { type Column, unwrap } from "@/lib/supabase/unwrap";

/** Who asks, and for the dashboard of which place. */
export type ActorAndPlace = { actorId: string; place: Place };

/** Who asks about which place, as arguments of a SQL function. */
export const scopeArgs = ({ actorId, place }: ActorAndPlace) => ({ p_actor_id: actorId, ...placeArgs(place) });

/** The place that a chart belongs to. */
export const chartPlace = ({ team, campaign }: { team: string; campaign: string | null }): Place =>
  campaign === null ? { team } : { team, campaign };

/**
 * The charts of a dashboard in their order, with their latest numbers. On a campaign's first dashboard the charts of the
 * whole team follow, if the person may see those. A chart that identifies signers is `withheld` without `signatures.view`.
 * With `id`, only that chart of the place. Guard `charts.view` first.
 */
export async function listCharts({
  id = null,
  dashboardId = null,
  ...scope
}: ActorAndPlace & { id?: string | null; dashboardId?: string | null }): Promise<StoredChart[]> {
  return callSql(
    "read_charts",
    { ...scopeArgs(scope), p_id: id, p_dashboard_id: dashboardId },
    z.array(storedChartSchema),
  );
}

/**
 * A chart that a person may see on the dashboard of this place; undefined for a chart of another place, as for a deleted
 * or missing one. Guard `charts.view` first.
 */
export async function findChart(query: ActorAndPlace & { id: string }): Promise<StoredChart | undefined> {
  if (!z.guid().safeParse(query.id).success) return undefined;
  const [chart] = await listCharts(query);
  return chart;
}

/** The names of a campaign's charts that couldn't be refreshed the last time. Guard `charts.view` first. */
export async function listFailedCharts(place: CampaignOfTeam): Promise<string[]> {
  return callSql("failed_charts", placeArgs(place), z.array(z.string()));
}

const rowSchema = z.object({ team_id: z.string(), campaign_id: z.string().nullable() });

/**
 * Requires `charts.edit` for the chart's team and campaign. Throws PermissionRefused, AppError `invalid` for what isn't an id,
 * and `not-found`, also for a chart of another team.
 */
export async function requireEditableChart(session: Session, id: string): Promise<void> {
  if (!z.guid().safeParse(id).success) throw new AppError("invalid", invalidChartId);
  const charts = createAdminClient().from("charts").select("team_id, campaign_id");
  const undeleted = charts.eq("id", id).is("deleted_at" satisfies Column<"charts">, null);
  const row = rowSchema.nullable().parse(unwrap(await undeleted.maybeSingle()));
  if (row === null) throw new AppError(...missingChart);
  const place = chartPlace({ team: row.team_id, campaign: row.campaign_id });
  const { teamAccess, campaignAccess, permissionKeys } = await routePermissions(session, place);
  if (!teamAccess) throw new AppError(...missingChart);
  if ((await listTeamsLackingSecondFactor(session)).some(({ id }) => id === place.team))
    throw secondFactorMissing(place);
  if (campaignAccess === false || !permissionKeys.includes("charts.edit")) {
    throw new PermissionRefused(place, "charts.edit");
  }
}
