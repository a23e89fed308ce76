import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import type { AccessChange } from "@/lib/team-access/access-change";
import { readChangeOutcome } from "@/lib/team-access/read-change-outcome";

/**
 * Makes a change for a person, whole or not at all. Guard with `keyOfChange` first, and invalidate permissions
 * after. False when all was so already. Throws AppError `conflict` with the reason when it may not be, and nothing has
 * changed then; `unavailable` without an answer, when it may have been made all the same.
 */
export async function changeAccess({ userId }: Session, change: AccessChange): Promise<boolean> {
  const { data, error } = await createAdminClient().rpc("change_access", {
    p_actor_id: userId,
    p_change: change,
    p_keep: true,
  });
  const unanswered = "The database did not say whether this was saved. Try again in a moment.";
  if (error) throw new AppError("unavailable", unanswered, { cause: error });
  return readChangeOutcome(data);
}
