import "server-only";
import { AppError } from "@/lib/errors";
import { createSessionClient } from "@/lib/supabase/server";
import type { AccessChange } from "@/lib/team-access/access-change";
import { readChangeOutcome } from "@/lib/team-access/read-change-outcome";

/**
 * Makes a change as the signed-in user, whole or not at all. Guard with `keyOfChange` first, and invalidate permissions
 * after. False when all was so already. Throws AppError `conflict` with the reason when it may not be, and nothing has
 * changed then; `unavailable` without an answer, when it may have been made all the same.
 */
export async function changeAccess(change: AccessChange): Promise<boolean> {
  const supabase = await createSessionClient();
  const { data, error } = await supabase.rpc("change_access", { p_change: change });
  const unanswered = "The database did not say whether this was saved. Try again in a moment.";
  if (error) throw new AppError("unavailable", unanswered, { cause: error });
  return readChangeOutcome(data);
}
