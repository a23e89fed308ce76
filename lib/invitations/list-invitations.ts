import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const invitationsSchema = z.array(
  z.object({
    id: z.uuid(),
    email: z.string(),
    role: z.string(),
    /** Null when her account is gone. */
    invitedBy: z.string().nullable(),
    createdAt: z.string(),
    expiresAt: z.string(),
    expired: z.boolean(),
  }),
);
export type OpenInvitation = z.infer<typeof invitationsSchema>[number];

/** Invitations into a team that were neither accepted nor revoked, newest first. Guard with `members.manage` first. */
export async function listInvitations(teamId: string): Promise<OpenInvitation[]> {
  return invitationsSchema.parse(unwrap(await createAdminClient().rpc("open_invitations", { p_team_id: teamId })));
}
