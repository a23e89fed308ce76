import "server-only";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { publicEnv } from "@/lib/env";
import { hashToken } from "@/lib/invitations/hash-token";
import { invitationPath } from "@/lib/invitations/invitation-link";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.looseObject({ expiresAt: z.string().optional() });

/**
 * Invites an address into a team as the signed-in user, and gives the link to copy: it is shown once, for only its hash is
 * stored. Good for 7 days, for one use, for that address alone. Guard with `members.manage` first. Throws AppError
 * `conflict` with the reason when it may not be.
 */
export async function createInvitation(invitation: {
  team: string;
  email: string;
  roleId: string;
}): Promise<{ link: string; expiresAt: string }> {
  const token = randomBytes(32).toString("base64url");
  const supabase = await createSessionClient();
  const result = await supabase.rpc("create_invitation", {
    p_team_id: invitation.team,
    p_email: invitation.email,
    p_role_id: invitation.roleId,
    p_token_hash: hashToken(token),
  });
  const answer = answerSchema.parse(unwrap(result));
  readInvitationOutcome(answer);
  return { link: publicEnv().siteUrl + invitationPath(token), expiresAt: z.string().parse(answer.expiresAt) };
}
