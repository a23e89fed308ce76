import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import type { InvitationList } from "@/lib/invitations/invitation-list";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.looseObject({
  made: z.array(z.object({ id: z.uuid(), email: z.string() })),
  /** Addresses that are members, or invited, already: nothing is made for them. */
  members: z.array(z.string()),
  invited: z.array(z.string()),
});

/**
 * Invites addresses into a team, all of them or none, but for those who are in or invited already.
 * Each is good for 7 days, once, for that address alone. Guard with `members.manage` first. Throws AppError `conflict` with
 * the reason when it may not be.
 */
export async function createInvitations({ userId }: Session, { team, mail, invitations }: InvitationList) {
  const asked = { p_actor_id: userId, p_team_id: team, p_invitations: invitations, p_mail: mail, p_keep: true };
  const answer = unwrap(await createAdminClient().rpc("create_invitations", asked));
  readInvitationOutcome(answer);
  return answerSchema.parse(answer);
}
