import "server-only";
import { z } from "zod";
import { hashToken } from "@/lib/invitations/hash-token";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.looseObject({ teamId: z.string().optional() });

/**
 * Makes the signed-in user an active member by an invitation for her address, once; the one who invited her must still
 * hold all that the role gives. Gives the team's id. Guard with `requireUser` first, and invalidate permissions after.
 * Throws AppError `conflict` with the reason when it may not be.
 */
export async function acceptInvitation(token: string): Promise<string> {
  const supabase = await createSessionClient();
  const answer = answerSchema.parse(
    unwrap(await supabase.rpc("accept_invitation", { p_token_hash: hashToken(token) })),
  );
  readInvitationOutcome(answer);
  return z.string().parse(answer.teamId);
}
