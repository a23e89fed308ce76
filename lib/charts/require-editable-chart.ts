import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import { PermissionRefused } from "@/lib/permissions/permission-refused";
import { routePermissions } from "@/lib/permissions/route-permissions";
import { createAdminClient } from "@/lib/supabase/admin";
import type { Column } from "@/lib/supabase/column";
import { unwrap } from "@/lib/supabase/unwrap";

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
