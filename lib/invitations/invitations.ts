import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { publicEnv, supabaseSecretKey } from "@/lib/env";
import { invitationPath, invitationTokenSchema } from "@/lib/invitations/invitation-link";
import type { InvitationList } from "@/lib/invitations/invitation-list";
import { readInvitationOutcome } from "@/lib/invitations/outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { accessEffectsSchema } from "@/lib/team-access/access-change";
import { hashToken, invitationToken } from "@/supabase/functions/_shared/invitation-token";

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

const previewSchema = z.object({
  made: z.array(z.object({ email: z.string() })),
  members: z.array(z.string()),
  invited: z.array(z.string()),
  effects: accessEffectsSchema,
});
export type InvitationsPreview = z.infer<typeof previewSchema>;

/** What invitations would give to whom: they are made and rolled back. Guard with `members.manage` first; throws as making them does. */
export async function previewInvitations(
  { userId }: Session,
  { team, invitations }: InvitationList,
): Promise<InvitationsPreview> {
  const asked = { p_actor_id: userId, p_team_id: team, p_invitations: invitations, p_mail: false, p_keep: false };
  const answer = unwrap(await createAdminClient().rpc("create_invitations", asked));
  readInvitationOutcome(answer);
  return previewSchema.parse(answer);
}

const createdSchema = z.looseObject({
  made: z.array(z.object({ id: z.uuid(), email: z.string() })),
  /** Addresses that are members, or invited, already: nothing is made for them. */
  members: z.array(z.string()),
  invited: z.array(z.string()),
});

/**
 * Invites addresses into a team, all of them or none, but for those who are in or invited already.
 * Each is good for 7 days, once, for that address alone. Guard with `members.manage` first. Throws AppError `conflict` with
 * the reason when it may not be.
 */
export async function createInvitations({ userId }: Session, { team, mail, invitations }: InvitationList) {
  const asked = { p_actor_id: userId, p_team_id: team, p_invitations: invitations, p_mail: mail, p_keep: true };
  const answer = unwrap(await createAdminClient().rpc("create_invitations", asked));
  readInvitationOutcome(answer);
  return createdSchema.parse(answer);
}

/**
 * Has an open invitation emailed again; one that has expired is made again, in this person's name. Guard with
 * `members.manage` first. Throws AppError `conflict` with the reason when it may not be.
 */
export async function resendInvitation({ userId }: Session, { team, id }: { team: string; id: string }): Promise<void> {
  const asked = { p_actor_id: userId, p_team_id: team, p_id: id };
  readInvitationOutcome(unwrap(await createAdminClient().rpc("resend_invitation", asked)));
}

/**
 * Revokes an open invitation: its link works no more. Guard with `members.manage` first. Throws AppError `conflict` when it
 * is not open any more.
 */
export async function revokeInvitation({ userId }: Session, { team, id }: { team: string; id: string }): Promise<void> {
  const asked = { p_actor_id: userId, p_team_id: team, p_id: id };
  readInvitationOutcome(unwrap(await createAdminClient().rpc("revoke_invitation", asked)));
}

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
