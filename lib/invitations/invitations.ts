import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { publicEnv, supabaseSecretKey } from "@/lib/env";
import { invitationPath, invitationTokenSchema } from "@/lib/invitations/invitation-link";
import type { InvitationList } from "@/lib/invitations/invitation-list";
import { invitationRefusals } from "@/lib/invitations/messages";
import { readOutcome } from "@/lib/outcome";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { accessEffectsSchema } from "@/lib/team-access/access-change";
import { hashToken, invitationToken } from "@/supabase/functions/_shared/invitation-token";

const invitationsSchema = z.array(
  z.object({
    id: z.uuid(),
    email: z.string(),
    /** Their name, if known. */
    name: z.string().nullable(),
    role: z.string(),
    campaigns: z.array(z.object({ name: z.string(), role: z.string() })),
    /** Null for a link without an email. */
    mail: z.enum(["waiting", "sent", "failed"]).nullable(),
    /** Null if the account was deleted. */
    invitedBy: z.string().nullable(),
    createdAt: z.string(),
    expiresAt: z.string(),
    expired: z.boolean(),
  }),
);
export type OpenInvitation = z.infer<typeof invitationsSchema>[number];

/** A team's invitations that are neither accepted nor revoked, newest first. Guard with `members.manage` first. */
export async function listInvitations(teamId: string): Promise<OpenInvitation[]> {
  return invitationsSchema.parse(unwrap(await createAdminClient().rpc("open_invitations", { p_team_id: teamId })));
}

const invitationSchema = z.object({
  state: z.enum(["open", "used", "revoked", "expired"]),
  teamId: z.string(),
  team: z.string(),
  role: z.string(),
  /** Names of its campaigns. */
  campaigns: z.array(z.string()),
  /** Whether Auth has sent its email, whose link signs in. */
  mailed: z.boolean(),
  email: z.string(),
  invitedBy: z.string().nullable(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** What anyone with the link may see of its invitation, signed in or not; null for a wrong link. */
export async function readInvitation(token: string): Promise<Invitation | null> {
  if (!invitationTokenSchema.safeParse(token).success) return null;
  const result = await createAdminClient().rpc("read_invitation", { p_token_hash: hashToken(token) });
  return invitationSchema.nullable().parse(unwrap(result));
}

const createdSchema = z.object({
  made: z.array(z.object({ id: z.uuid(), email: z.string() })),
  /** Addresses that are members, or invited, already: they are skipped. */
  members: z.array(z.string()),
  invited: z.array(z.string()),
});
const previewSchema = createdSchema.extend({
  made: z.array(z.object({ email: z.string() })),
  effects: accessEffectsSchema,
});
export type InvitationsPreview = z.infer<typeof previewSchema>;

/** What invitations would grant to whom: they are made and rolled back. Guard and errors as in `createInvitations`. */
export async function previewInvitations(person: Session, list: InvitationList): Promise<InvitationsPreview> {
  return readOutcome(await callCreate(person, { ...list, mail: false }, false), previewSchema, invitationRefusals);
}

/**
 * Invites addresses to a team, all or none, except those already in it or invited. Each invitation is valid for 7 days, once,
 * for its address. Guard with `members.manage` first. Throws AppError `conflict` with the reason.
 */
export async function createInvitations(person: Session, list: InvitationList) {
  return readOutcome(await callCreate(person, list, true), createdSchema, invitationRefusals);
}

async function callCreate({ userId }: Session, { team, mail, invitations }: InvitationList, keep: boolean) {
  const asked = { p_actor_id: userId, p_team_id: team, p_invitations: invitations, p_mail: mail, p_commit: keep };
  return unwrap(await createAdminClient().rpc("create_invitations", asked));
}

const doneSchema = z.object({ outcome: z.literal("done") });

/**
 * Sends the email of an open invitation again; an expired one is renewed in this person's name. Guard with `members.manage`
 * first. Throws AppError `conflict` with the reason.
 */
export async function resendInvitation({ userId }: Session, { team, id }: { team: string; id: string }): Promise<void> {
  const asked = { p_actor_id: userId, p_team_id: team, p_id: id };
  readOutcome(unwrap(await createAdminClient().rpc("resend_invitation", asked)), doneSchema, invitationRefusals);
}

/** Revokes an open invitation. Guard with `members.manage` first. Throws AppError `conflict` if it is no longer open. */
export async function revokeInvitation({ userId }: Session, { team, id }: { team: string; id: string }): Promise<void> {
  const asked = { p_actor_id: userId, p_team_id: team, p_id: id };
  readOutcome(unwrap(await createAdminClient().rpc("revoke_invitation", asked)), doneSchema, invitationRefusals);
}

/**
 * The link of an open invitation, always the same one. Guard with `members.manage` first. Throws AppError `conflict` if it is
 * no longer open.
 */
export async function makeInvitationLink(
  { userId }: Session,
  { team, id }: { team: string; id: string },
): Promise<string> {
  const token = invitationToken(supabaseSecretKey(), id);
  const asked = { p_actor_id: userId, p_team_id: team, p_id: id, p_token_hash: hashToken(token) };
  readOutcome(unwrap(await createAdminClient().rpc("link_invitation", asked)), doneSchema, invitationRefusals);
  return publicEnv().siteUrl + invitationPath(token);
}

const acceptedSchema = z.object({ team: z.string(), campaign: z.string().nullable() });

/**
 * Makes a person an active member by an invitation for their address, once; whoever invited them must still have everything
 * it grants. Returns the team, and their first campaign there. Guard with `requireUser` first and invalidate permissions
 * after. Throws AppError `conflict` with the reason.
 */
export async function acceptInvitation({ userId }: Session, token: string): Promise<z.infer<typeof acceptedSchema>> {
  const asked = { p_actor_id: userId, p_token_hash: hashToken(token) };
  const answer = unwrap(await createAdminClient().rpc("accept_invitation", asked));
  return readOutcome(answer, acceptedSchema, invitationRefusals);
}
