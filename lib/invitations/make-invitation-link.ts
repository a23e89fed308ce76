import "server-only";
import { z } from "zod";
import { publicEnv, supabaseSecretKey } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { invitationPath } from "@/lib/invitations/invitation-link";
import { createAdminClient } from "@/lib/supabase/admin";
import type { Column } from "@/lib/supabase/column";
import { unwrap } from "@/lib/supabase/unwrap";
import { hashToken, invitationToken } from "@/supabase/functions/_shared/invitation-token";

/**
 * The link of an open invitation of a team, the same each time. Guard with `members.manage` first. Throws AppError `conflict` when it is not open any more.
 */
export async function makeInvitationLink({ team, id }: { team: string; id: string }): Promise<string> {
  const admin = createAdminClient();
  const open = await admin
    .from("invitations")
    .select("id")
    .eq("id", id)
    .eq("team_id", team)
    .is("accepted_at" satisfies Column<"invitations">, null)
    .is("revoked_at" satisfies Column<"invitations">, null);
  if (z.array(z.object({ id: z.uuid() })).parse(unwrap(open)).length === 0) {
    throw new AppError("conflict", "This invitation is not open any more. Reload the page to see those that are.");
  }
  const token = invitationToken(supabaseSecretKey(), id);
  unwrap(await admin.rpc("keep_invitation_token", { p_id: id, p_token_hash: hashToken(token) }));
  return publicEnv().siteUrl + invitationPath(token);
}
