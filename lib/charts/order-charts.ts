import "server-only";
import { requireDone } from "@/lib/charts/require-done";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

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
