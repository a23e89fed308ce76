import "server-only";
import { z } from "zod";
import { hasDefaultName } from "@/lib/auth/account";
import type { Session } from "@/lib/auth/get-session";
import { publicEnv, supabaseSecretKey } from "@/lib/env";
import {
  type InvitationEdit,
  type InvitationList,
  invitationPath,
  invitationTokenSchema,
} from "@/lib/invitations/invitation";
import { invitationRefusals } from "@/lib/invitations/messages";
import { callSql, type Schema } from "@/lib/supabase/call-sql";
import { accessEffectsSchema } from "@/lib/team-access/access-change";
import { readOwnRoles } from "@/lib/team-access/members";
import { hashToken, invitationToken } from "@/supabase/functions/_shared/invitation-token";

const invitationsSchema = z.array(
  z.object({
    id: z.uuid(),
    email: z.string(),
    /** Their name, if known. */
    name: z.string().nullable(),
    roleId: z.uuid(),
    role: z.string(),
    campaigns: z.array(z.object({ id: z.string(), name: z.string(), roleId: z.uuid(), role: z.string() })),
    /** Null for a link without an email. */
    mail: z.enum(["waiting", "sent", "failed"]).nullable(),
    /** Null if the account was deleted. */
    invitedBy: z.string().nullable(),
    createdAt: z.string(),
    expiresAt: z.string(),
    expired: z.boolean(),
    /** It can't be accepted, because the person who invited may no longer grant it. */
    stopped: z.boolean(),
  }),
);
export type OpenInvitation = z.infer<typeof invitationsSchema>[number];

/** A team's invitations that are neither accepted nor revoked, newest first. Guard with `members.manage` first. */
export async function listInvitations(teamId: string): Promise<OpenInvitation[]> {
  return callSql("open_invitations", { p_team_id: teamId }, invitationsSchema);
}

const invitationSchema = z.object({
  /** `stopped`: the person who invited may no longer grant it. */
  state: z.enum(["open", "used", "revoked", "declined", "expired", "stopped"]),
  teamId: z.string(),
  team: z.string(),
  role: z.string(),
  /** Its role, and its campaigns if it has any: `Member, with access to Clean water (Canvasser)`. */
  access: z.string(),
  /** Whether Auth has sent its email, whose link signs in. */
  mailed: z.boolean(),
  email: z.string(),
  /** The invited person's name, if the inviter entered it. */
  name: z.string().nullable(),
  invitedBy: z.string().nullable(),
  expiresAt: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** What anyone with the link may see of its invitation, signed in or not; null for a wrong link. */
export async function readInvitation(token: string): Promise<Invitation | null> {
  if (!invitationTokenSchema.safeParse(token).success) return null;
  return callSql("read_invitation", { p_token_hash: hashToken(token) }, invitationSchema.nullable());
}

const createdSchema = z.object({
  made: z.array(z.object({ id: z.uuid(), email: z.string() })),
  /** Emails that are members or invited already. They are skipped. */
  members: z.array(z.string()),
  /** Those of the members who are suspended. */
  suspended: z.array(z.string()),
  invited: z.array(z.string()),
});
const previewSchema = createdSchema.extend({
  made: z.array(z.object({ email: z.string() })),
  effects: accessEffectsSchema,
});
export type InvitationsPreview = z.infer<typeof previewSchema>;

/** What invitations would grant, and to which people: they are made and rolled back. Guard and errors as in `createInvitations`. */
export async function previewInvitations(person: Session, list: InvitationList): Promise<InvitationsPreview> {
  return callCreate(person, { ...list, mail: false }, { commit: false, schema: previewSchema });
}

/**
 * Invites addresses to a team, all or none, except those already in it or invited. Each invitation is valid for
 * `invitationDays`, once, for its address. Guard with `members.manage` first. Throws AppError `conflict` with the reason.
 */
export async function createInvitations(person: Session, list: InvitationList) {
  return callCreate(person, list, { commit: true, schema: createdSchema });
}

function callCreate<Parsed>(
  { userId }: Session,
  { team, mail, invitations }: InvitationList,
  { commit, schema }: { commit: boolean; schema: Schema<Parsed> },
) {
  const args = { p_actor_id: userId, p_team_id: team, p_invitations: invitations, p_mail: mail, p_commit: commit };
  return callSql("create_invitations", args, schema, { refusals: invitationRefusals });
}

type Several = { team: string; ids: string[] };
const countSchema = z.object({ outcome: z.literal("done"), count: z.int() });

/**
 * Makes this person the inviter of open invitations, except those of members, and extends them by `invitationDays`. Sends
 * their emails again, or with `edit` changes their roles instead. Returns how many. Guard with `members.manage` first.
 * Throws AppError `conflict` with the reason.
 */
export async function reissueInvitations(
  { userId }: Session,
  { team, ids, edit }: Several & { edit?: InvitationEdit },
): Promise<number> {
  const args = { p_actor_id: userId, p_team_id: team, p_ids: ids, p_edit: edit ?? null };
  return (await callSql("reissue_invitations", args, countSchema, { refusals: invitationRefusals })).count;
}

/** Revokes open invitations, returns how many. Guard with `members.manage` first. Throws AppError `conflict` if none is open. */
export async function revokeInvitations({ userId }: Session, { team, ids }: Several): Promise<number> {
  const args = { p_actor_id: userId, p_team_id: team, p_ids: ids };
  return (await callSql("revoke_invitations", args, countSchema, { refusals: invitationRefusals })).count;
}

const doneSchema = z.object({ outcome: z.literal("done") });

/**
 * The link of an open invitation, always the same one. Guard with `members.manage` first. Throws AppError `conflict` if it is
 * no longer open.
 */
export async function makeInvitationLink(
  { userId }: Session,
  { team, id }: { team: string; id: string },
): Promise<string> {
  const token = invitationToken(supabaseSecretKey(), id);
  const args = { p_actor_id: userId, p_team_id: team, p_id: id, p_token_hash: hashToken(token) };
  await callSql("link_invitation", args, doneSchema, { refusals: invitationRefusals });
  return publicEnv().siteUrl + invitationPath(token);
}

const acceptedSchema = z.object({ team: z.string(), campaign: z.string().nullable() });

/**
 * Makes a person an active member by an invitation for their address, once. The person who invited them must still have everything
 * it grants. Returns the team, and their first campaign there. Guard with `requireUser` first and invalidate permissions
 * after. Throws AppError `conflict` with the reason.
 */
export async function acceptInvitation({ userId }: Session, token: string): Promise<z.infer<typeof acceptedSchema>> {
  const args = { p_actor_id: userId, p_token_hash: hashToken(token) };
  return callSql("accept_invitation", args, acceptedSchema, { refusals: invitationRefusals });
}

/** Declines an open invitation for their address, which revokes it. Throws AppError `conflict` with the reason. */
export async function declineInvitation({ userId }: Session, token: string): Promise<void> {
  const args = { p_actor_id: userId, p_token_hash: hashToken(token) };
  await callSql("decline_invitation", args, doneSchema, { refusals: invitationRefusals });
}

const ownInvitationsSchema = z.array(
  invitationSchema
    .pick({ teamId: true, team: true, access: true, name: true, invitedBy: true })
    .extend({ id: z.uuid() }),
);
export type OwnInvitation = z.infer<typeof ownInvitationsSchema>[number] & { token: string };

/** The invitations that a person can accept, by their confirmed address, with the tokens of their links. */
export async function listOwnInvitations({ userId }: Session): Promise<OwnInvitation[]> {
  const invitations = await callSql("own_invitations", { p_actor_id: userId }, ownInvitationsSchema);
  return Promise.all(
    invitations.map(async (invitation) => {
      const token = invitationToken(supabaseSecretKey(), invitation.id);
      // One whose email isn't sent yet has no link.
      await callSql("save_invitation_token", { p_id: invitation.id, p_token_hash: hashToken(token) }, z.unknown());
      return { ...invitation, token };
    }),
  );
}

/** Whether an open invitation is for this person and they are new: they have chosen no name and are in no team. */
export async function isFirstVisit(person: Session, invitation: Invitation | null): Promise<boolean> {
  if (invitation?.state !== "open" || invitation.email !== person.email.toLowerCase()) return false;
  return isNewPerson(person);
}

/** Whether a person has chosen no name and is in no team. */
export async function isNewPerson(person: Session): Promise<boolean> {
  return (await hasDefaultName(person)) && (await readOwnRoles(person)).size === 0;
}
