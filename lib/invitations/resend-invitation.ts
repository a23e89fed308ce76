import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Has an open invitation emailed again; one that has expired is made again, in this person's name. Guard with
 * `members.manage` first. Throws AppError `conflict` with the reason when it may not be.
 */
export async function resendInvitation({ userId }: Session, { team, id }: { team: string; id: string }): Promise<void> {
  const asked = { p_actor_id: userId, p_team_id: team, p_id: id };
  readInvitationOutcome(unwrap(await createAdminClient().rpc("resend_invitation", asked)));
}
