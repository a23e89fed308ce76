import "server-only";
import { z } from "zod";
import type { InvitationList } from "@/lib/invitations/invitation-list";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createSessionClient } from "@/lib/supabase/server";
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
export async function previewInvitations({ team, invitations }: InvitationList): Promise<InvitationsPreview> {
  const supabase = await createSessionClient();
  const asked = { p_team_id: team, p_invitations: invitations, p_mail: false, p_keep: false };
  const answer = unwrap(await supabase.rpc("create_invitations", asked));
  readInvitationOutcome(answer);
  return answerSchema.parse(answer);
}
