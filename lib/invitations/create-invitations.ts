import "server-only";
import { z } from "zod";
import type { InvitationList } from "@/lib/invitations/invitation-list";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.looseObject({
  made: z.array(z.object({ id: z.uuid(), email: z.string() })),
  /** Addresses that are members, or invited, already: nothing is made for them. */
  members: z.array(z.string()),
  invited: z.array(z.string()),
});

/**
 * Invites addresses into a team as the signed-in user, all of them or none, but for those who are in or invited already.
 * Each is good for 7 days, once, for that address alone. Guard with `members.manage` first. Throws AppError `conflict` with
 * the reason when it may not be.
 */
export async function createInvitations({ team, mail, invitations }: InvitationList) {
  const supabase = await createSessionClient();
  const asked = { p_team_id: team, p_invitations: invitations, p_mail: mail, p_keep: true };
  const answer = unwrap(await supabase.rpc("create_invitations", asked));
  readInvitationOutcome(answer);
  return answerSchema.parse(answer);
}
