import type { Refusals } from "@/lib/supabase/call-sql";

/** Why a link leads to no invitation. */
export const noLink =
  "This link doesn't match an invitation. Make sure you copied the whole link, or ask for a new one.";

type Invited = { invitedBy: string | null; team: string };

/** Why an invitation can no longer be accepted, and who to ask. */
export function closedInvitation(state: "used" | "revoked" | "declined" | "expired", { invitedBy, team }: Invited) {
  const ask = `Ask ${invitedBy ?? `an administrator of ${team}`} for a new one.`;
  return {
    used: "This invitation has already been accepted. Each one works once.",
    revoked: `The invitation to ${team} was revoked. ${ask}`,
    declined: `You declined the invitation to ${team}. Changed your mind? ${ask}`,
    expired: `The invitation to ${team} has expired. ${ask}`,
  }[state];
}

/** The same for one whose inviter can no longer grant it. Sending it again makes its link work. */
export function stoppedInvitation({ invitedBy, team, role }: Invited & { role: string }) {
  if (invitedBy === null) return `Ask an administrator of ${team} to send it again.`;
  return `${invitedBy} can no longer invite people as ${role}. Ask ${invitedBy} to get an administrator of ${team} to send it again. This link will then work.`;
}

export const invitationNotOpen = "This invitation is no longer open. Ask the team for a new one.";

/** Why SQL refuses to make, send, revoke or accept an invitation. Nothing has changed then. */
export const invitationRefusals: Refusals = {
  "not-allowed": ["conflict", "You no longer have permission to invite people to this team. Reload the page."],
  gone: ["conflict", "A role or campaign was deleted. Nothing was changed. Reload the page and choose another one."],
  "more-than-own": [
    "conflict",
    "You don't have all the permissions of these roles. Nothing was changed. Choose another role, or ask an administrator.",
  ],
  "not-open": ["conflict", "This invitation is no longer open. Reload the page."],
  "already-member": [
    "conflict",
    "Everyone you chose is already on the team. Nothing was changed. Revoke these invitations.",
  ],
  "too-many-mails": [
    "conflict",
    "This team already has 1,000 emails queued. Nothing was sent. Wait until some are sent, or invite without email and share the links.",
  ],
  "no-invitation": ["conflict", noLink],
  "other-address": ["conflict", "This invitation is for another address. Sign in with the invited address."],
  used: ["conflict", "This invitation has already been accepted. Go to your teams, or ask for a new one."],
  revoked: ["conflict", "This invitation was revoked. Ask the team for a new one."],
  expired: ["conflict", "This invitation has expired. Ask the team for a new one."],
  "already-in-team": ["conflict", "You're already an active member of this team. Go to your teams to open it."],
  suspended: ["conflict", "Your access to this team is suspended. Ask an administrator of the team to restore it."],
  "inviter-may-not": [
    "conflict",
    "This invitation is no longer valid because the person who invited you can no longer assign this role. Ask an administrator of the team for a new one.",
  ],
};
