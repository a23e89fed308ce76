import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const outcomeSchema = z.enum(["done", "not-allowed", "no-member", "last-administrator", "more-than-own"]);

const refusals: Record<Exclude<z.infer<typeof outcomeSchema>, "done">, string> = {
  "not-allowed": "You may not change members of this team any more. Reload the page to see what you may do.",
  "no-member": "This person is no longer in the team. Reload the page to see who is.",
  "last-administrator":
    "This is the last active administrator of the team. Make somebody else an administrator first; nothing was changed.",
  "more-than-own":
    "This person would hold permissions that you do not hold yourself. Ask an administrator of the team; nothing was changed.",
};

/**
 * Suspends a member or makes her active again. Guard `members.manage` first, and invalidate permissions after. Throws
 * AppError with the reason when it may not be, and nothing has changed then.
 */
export async function setMemberStatus(change: {
  actorId: string;
  teamId: string;
  userId: string;
  status: "active" | "suspended";
}): Promise<void> {
  if (change.actorId === change.userId) throw new AppError("forbidden", "You cannot change your own membership.");
  const result = await createAdminClient().rpc("set_member_status", {
    p_actor_id: change.actorId,
    p_team_id: change.teamId,
    p_user_id: change.userId,
    p_status: change.status,
  });
  const outcome = outcomeSchema.parse(unwrap(result));
  if (outcome !== "done") throw new AppError("conflict", refusals[outcome]);
}
