import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { publicEnv, supabaseSecretKey } from "@/lib/env";
import { invitationPath } from "@/lib/invitations/invitation-link";
import { readInvitationOutcome } from "@/lib/invitations/invitation-outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { hashToken, invitationToken } from "@/supabase/functions/_shared/invitation-token";

/**
 * The link of an open invitation of a team, the same each time. Guard with `members.manage` first. Throws AppError `conflict`
 * when it is not open any more.
 */
export async function makeInvitationLink(
  { userId }: Session,
  { team, id }: { team: string; id: string },
): Promise<string> {
  const token = invitationToken(supabaseSecretKey(), id);
  const asked = { p_actor_id: userId, p_team_id: team, p_id: id, p_token_hash: hashToken(token) };
  readInvitationOutcome(unwrap(await createAdminClient().rpc("link_invitation", asked)));
  return publicEnv().siteUrl + invitationPath(token);
}
