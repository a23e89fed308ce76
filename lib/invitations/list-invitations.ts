import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const invitationsSchema = z.array(
  z.object({
    id: z.uuid(),
    email: z.string(),
    /** What she is called, where that is known. */
    name: z.string().nullable(),
    role: z.string(),
    campaigns: z.array(z.object({ name: z.string(), role: z.string() })),
    /** Null for one that is handed over as a link. */
    mail: z.enum(["waiting", "sent", "failed"]).nullable(),
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
