import "server-only";
import { requireDone } from "@/lib/charts/require-done";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

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
