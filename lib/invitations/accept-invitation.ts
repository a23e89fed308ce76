import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { hashToken } from "@/supabase/functions/_shared/invitation-token";

const acceptedSchema = z.object({ team: z.string(), campaign: z.string().nullable() });

/**
 * Makes a person an active member by an invitation for their address, once; the one who invited them must still hold all
 * that it gives. Gives the team, with their first campaign there, if any. Guard with `requireUser` first, and invalidate
 * permissions after.
 * Throws AppError `conflict` with the reason when it may not be.
 */
export async function acceptInvitation({ userId }: Session, token: string): Promise<z.infer<typeof acceptedSchema>> {
  const asked = { p_actor_id: userId, p_token_hash: hashToken(token) };
  const answer = unwrap(await createAdminClient().rpc("accept_invitation", asked));
  readInvitationOutcome(answer);
  return acceptedSchema.parse(answer);
}
