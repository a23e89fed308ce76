import "server-only";
import type { MaxAge } from "@/lib/charts/max-age";
import { requireDone } from "@/lib/charts/require-done";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

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
