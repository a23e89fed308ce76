import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { type StoredChart, storedChartSchema } from "@/lib/charts/definition/stored-chart";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam, Place } from "@/lib/ids";
import { PermissionRefused } from "@/lib/permissions/messages";
import { routePermissions } from "@/lib/permissions/route-permissions";
import { createAdminClient } from "@/lib/supabase/admin";
import { type Column, unwrap } from "@/lib/supabase/unwrap";

/**
 * The charts of a dashboard in their order, with what was generated last; on that of a campaign, after them the charts of
 * the whole team, as far as the person may see those. One that tells who signed is `withheld` where they lack
 * `signatures.view`. With `id`, this one alone. Guard `charts.view` first.
 */
export async function listCharts({
  actorId,
  place,
  id,
}: {
  actorId: string;
  place: Place;
  id?: string;
}): Promise<StoredChart[]> {
  const result = await createAdminClient().rpc("read_charts", {
    p_actor_id: actorId,
    p_team_id: place.team,
    p_campaign_id: place.campaign ?? null,
    p_id: id ?? null,
  });
  return z.array(storedChartSchema).parse(unwrap(result));
}

/**
 * A chart that a person may see on the dashboard of this place, or undefined: one of another place, a deleted and a missing
 * one are the same. One that tells who signed is `withheld` without `signatures.view`. Guard `charts.view` first.
 */
export async function findChart(asked: {
  actorId: string;
  place: Place;
  id: string;
}): Promise<StoredChart | undefined> {
  if (!z.guid().safeParse(asked.id).success) return undefined;
  const [chart] = await listCharts(asked);
  return chart;
}

/** The names of a campaign's charts that could not be generated when that was last tried. Guard with `charts.view` first. */
export async function listFailedCharts({ team, campaign }: CampaignOfTeam): Promise<string[]> {
  const result = await createAdminClient().rpc("failed_charts", { p_team_id: team, p_campaign_id: campaign });
  return z.array(z.string()).parse(unwrap(result));
}

const rowSchema = z.object({ team_id: z.string(), campaign_id: z.string().nullable() });

/** A chart that is not there, or outside of the user's teams: which of them, nobody is told. */
export const missingChart = () =>
  new AppError("not-found", "There is no such chart. Reload the dashboard to see which there are.");

/**
 * For routes: the user holds `charts.edit` for the chart's team and campaign. Throws AppError `invalid` for what is no id,
 * `not-found` for a chart outside of her teams too, and PermissionRefused.
 */
export async function requireEditableChart(session: Session, id: string): Promise<void> {
  if (!z.guid().safeParse(id).success) throw new AppError("invalid", "This is not the id of a chart.");
  const charts = createAdminClient().from("charts").select("team_id, campaign_id");
  const undeleted = charts.eq("id", id).is("deleted_at" satisfies Column<"charts">, null);
  const row = rowSchema.nullable().parse(unwrap(await undeleted.maybeSingle()));
  if (row === null) throw missingChart();
  const place = { team: row.team_id, ...(row.campaign_id !== null && { campaign: row.campaign_id }) };
  const { teamAccess, campaignAccess, permissionKeys } = await routePermissions(session, place);
  if (!teamAccess) throw missingChart();
  if (campaignAccess === false || !permissionKeys.includes("charts.edit")) {
    throw new PermissionRefused(place, "charts.edit");
  }
}
