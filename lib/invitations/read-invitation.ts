import "server-only";
import { z } from "zod";
import { invitationTokenSchema } from "@/lib/invitations/invitation-link";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { hashToken } from "@/supabase/functions/_shared/invitation-token";

const invitationSchema = z.object({
  state: z.enum(["open", "used", "revoked", "expired"]),
  teamId: z.string(),
  team: z.string(),
  role: z.string(),
  /** Names of the campaigns that come with it. */
  campaigns: z.array(z.string()),
  /** Whether Auth has sent its e-mail, whose link signs in. */
  mailed: z.boolean(),
  email: z.string(),
  invitedBy: z.string().nullable(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** What the holder of a link may know of its invitation, signed in or not; null when the link leads to none. */
export async function readInvitation(token: string): Promise<Invitation | null> {
  if (!invitationTokenSchema.safeParse(token).success) return null;
  const result = await createAdminClient().rpc("read_invitation", { p_token_hash: hashToken(token) });
  return invitationSchema.nullable().parse(unwrap(result));
}
