import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import type { InvitationList } from "@/lib/invitations/invitation-list";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { accessEffectsSchema } from "@/lib/team-access/access-effects";

const answerSchema = z.object({
  made: z.array(z.object({ email: z.string() })),
  members: z.array(z.string()),
  invited: z.array(z.string()),
  effects: accessEffectsSchema,
});
export type InvitationsPreview = z.infer<typeof answerSchema>;

/** What invitations would give to whom: they are made and rolled back. Guard with `members.manage` first; throws as making them does. */
export async function previewInvitations(
  { userId }: Session,
  { team, invitations }: InvitationList,
): Promise<InvitationsPreview> {
  const asked = { p_actor_id: userId, p_team_id: team, p_invitations: invitations, p_mail: false, p_keep: false };
  const answer = unwrap(await createAdminClient().rpc("create_invitations", asked));
  readInvitationOutcome(answer);
  return answerSchema.parse(answer);
}
