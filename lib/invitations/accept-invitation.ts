import "server-only";
import { z } from "zod";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";
import { hashToken } from "@/supabase/functions/_shared/invitation-token";

const acceptedSchema = z.object({ team: z.string(), campaign: z.string().nullable() });

/**
 * Makes the signed-in user an active member by an invitation for her address, once; the one who invited her must still
 * hold all that it gives. Gives the team, with her first campaign there, if any. Guard with `requireUser` first, and invalidate permissions after.
 * Throws AppError `conflict` with the reason when it may not be.
 */
export async function acceptInvitation(token: string): Promise<z.infer<typeof acceptedSchema>> {
  const supabase = await createSessionClient();
  const answer = unwrap(await supabase.rpc("accept_invitation", { p_token_hash: hashToken(token) }));
  readInvitationOutcome(answer);
  return acceptedSchema.parse(answer);
}
