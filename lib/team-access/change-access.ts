import "server-only";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";
import type { AccessChange } from "@/lib/team-access/access-change";
import { readChangeOutcome } from "@/lib/team-access/read-change-outcome";

const patience = 10_000; // ms: one change waits for another, and what is given up may be made all the same

/**
 * Makes a change as the signed-in user, whole or not at all. Guard with `keyOfChange` first, and invalidate permissions
 * after. False when all was so already. Throws AppError `conflict` with the reason when it may not be, and nothing has
 * changed then.
 */
export async function changeAccess(change: AccessChange): Promise<boolean> {
  const supabase = await createSessionClient();
  const made = supabase.rpc("change_access", { p_change: change }).abortSignal(AbortSignal.timeout(patience));
  return readChangeOutcome(unwrap(await made));
}
