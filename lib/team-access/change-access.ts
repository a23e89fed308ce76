import "server-only";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";
import type { AccessChange } from "@/lib/team-access/access-change";
import { readChangeOutcome } from "@/lib/team-access/read-change-outcome";

/**
 * Makes a change as the signed-in user, whole or not at all. Guard with `keyOfChange` first, and invalidate permissions
 * after. False when all was so already. Throws AppError `conflict` with the reason when it may not be, and nothing has
 * changed then.
 */
export async function changeAccess(change: AccessChange): Promise<boolean> {
  const supabase = await createSessionClient();
  return readChangeOutcome(unwrap(await supabase.rpc("change_access", { p_change: change })));
}
