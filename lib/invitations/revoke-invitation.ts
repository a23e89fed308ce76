import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Revokes an open invitation: its link works no more. Guard with `members.manage` first. Throws AppError `conflict` when it
 * is not open any more.
 */
export async function revokeInvitation({ userId }: Session, { team, id }: { team: string; id: string }): Promise<void> {
  const asked = { p_actor_id: userId, p_team_id: team, p_id: id };
  readInvitationOutcome(unwrap(await createAdminClient().rpc("revoke_invitation", asked)));
}
