import "server-only";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Has an open invitation e-mailed again as the signed-in user; one that has expired is made anew, in her name. Guard with
 * `members.manage` first. Throws AppError `conflict` with the reason when it may not be.
 */
export async function resendInvitation({ team, id }: { team: string; id: string }): Promise<void> {
  const supabase = await createSessionClient();
  readInvitationOutcome(unwrap(await supabase.rpc("resend_invitation", { p_team_id: team, p_id: id })));
}
