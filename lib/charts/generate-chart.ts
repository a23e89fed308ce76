import "server-only";
import { z } from "zod";
import { chartResultSchema } from "@/lib/charts/chart-result";
import { runInTime } from "@/lib/charts/run-in-time";
import { AppError } from "@/lib/errors";
import { requireRate } from "@/lib/http/require-rate";
import type { Place } from "@/lib/ids";
import type { Session } from "@/lib/permissions/get-session";
import { PermissionRefused } from "@/lib/permissions/permission-refused";
import { routePermissions } from "@/lib/permissions/route-permissions";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const placeSchema = z.object({ team_id: z.string(), campaign_id: z.string().nullable() });
const computedSchema = z.object({ version: z.int(), data: chartResultSchema });
const storedSchema = z.object({ outcome: z.enum(["stored", "newer", "changed"]), data: chartResultSchema.nullable() });

const missing = () => new AppError("not-found", "There is no such chart. Reload the dashboard to see which there are.");

/**
 * Computes a chart's data and stores it (interface.md 4.5): whole, and only while the definition is the one that was
 * computed. Answers what is stored, as the JSON of a ChartResult: a long one is written once. Needs `charts.edit` for the
 * chart's team and campaign. Throws AppError `not-found` (also for a chart outside of her teams), `forbidden`,
 * `too-many-requests`, `conflict`, `gateway-timeout`, or ChartProblem; then what was stored stays.
 */
export async function generateChart(
  session: Session,
  id: string,
  place: Promise<Place> = placeOfChart(id),
): Promise<string> {
  await requireEditing(session, await place);
  await requireRate("charts", session.userId);
  const admin = createAdminClient();
  const computed = computedSchema.nullable().parse(await runInTime(admin.rpc("aggregate_stored_chart", { p_id: id })));
  if (computed === null) throw missing();
  const json = JSON.stringify(computed.data);
  const result = await admin.rpc("store_chart_result", { p_id: id, p_version: computed.version, p_data: json });
  const stored = storedSchema.parse(unwrap(result));
  if (stored.outcome === "stored") return json;
  if (stored.outcome === "newer" && stored.data) return JSON.stringify(stored.data);
  throw new AppError("conflict", "The chart was changed while it was computed. Generate it again.");
}

/** Where a chart is: a read that needs not wait until it is known who asks. Throws AppError `not-found`. */
export async function placeOfChart(id: string): Promise<Place> {
  const found = await createAdminClient()
    .from("charts")
    .select("team_id, campaign_id")
    .eq("id", id)
    .is("deleted_at", null)
    .maybeSingle();
  const row = placeSchema.nullable().parse(unwrap(found));
  if (row === null) throw missing();
  return { team: row.team_id, ...(row.campaign_id !== null && { campaign: row.campaign_id }) };
}

async function requireEditing(session: Session, place: Place) {
  const { teamAccess, campaignAccess, permissionKeys } = await routePermissions(session, place);
  if (!teamAccess) throw missing();
  if (campaignAccess === false || !permissionKeys.includes("charts.edit")) {
    throw new PermissionRefused(place, "charts.edit");
  }
}
