import "server-only";
import { requireDone } from "@/lib/charts/change-outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/** Brings a deleted chart back to its place, as it was. Throws AppError `not-found` or `forbidden`. */
export async function restoreChart(change: { actorId: string; id: string }): Promise<void> {
  const result = await createAdminClient().rpc("restore_chart", { p_actor_id: change.actorId, p_id: change.id });
  requireDone(unwrap(result));
}
