import "server-only";
import { requireDone } from "@/lib/charts/require-done";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/** Takes a chart off its dashboard; `restoreChart` brings it back as it was. Throws AppError `not-found` or `forbidden`. */
export async function deleteChart(change: { actorId: string; id: string }): Promise<void> {
  const result = await createAdminClient().rpc("delete_chart", { p_actor_id: change.actorId, p_id: change.id });
  requireDone(unwrap(result));
}
