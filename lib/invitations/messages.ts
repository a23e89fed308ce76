import type { Refusals } from "@/lib/supabase/call-sql";

/** Why a link leads to no invitation. */
export const noLink =
  "This link doesn't match an invitation. Make sure you copied the whole link, or ask the person who invited you for a new one.";

type Invited = { invitedBy: string | null; team: string };

/** What happened to an invitation that can't be accepted, and what to do. */
export function closedInvitation(
  state: "used" | "revoked" | "declined" | "expired" | "stopped",
  { invitedBy, team, role }: Invited & { role: string },
): [what: string, then: string] {
  const sources = `${invitedBy ?? `an administrator of ${team}`} for a new one.`;
  const askForNew = `Ask ${sources}`;
  const invitation = `The invitation to ${team}`;
  switch (state) {
    case "used":
      return [
        `${invitation} was already accepted`,
        `If you accepted it, sign in to open the team. Otherwise, ask ${sources}`,
      ];
    case "revoked":
      return [`${invitation} was revoked`, askForNew];
    case "declined":
      return [`You declined the invitation to ${team}`, `Changed your mind? ${askForNew}`];
    case "expired":
      return [`${invitation} has expired`, askForNew];
    case "stopped":
      return [
        `${invitation} is no longer valid`,
        `${invitedBy === null ? "" : `${invitedBy} can no longer invite people with the ${role} role. `}Ask an administrator of ${team} to invite you again.`,
      ];
  }
}

export const invitationNotOpen = "This invitation is no longer open. Ask the team for a new one.";

/** Why SQL refuses to make, send, revoke or accept an invitation. Nothing has changed then. */
export const invitationRefusals: Refusals = {
  "not-allowed": ["conflict", "You no longer have permission to invite people to this team. Reload the page."],
  gone: ["conflict", "A role or campaign was deleted, so nothing was changed. Reload the page and choose another one."],
  "more-than-own": [
    "conflict",
    "You don't have all the permissions of these roles, so nothing was changed. Choose another role, or ask an administrator.",
  ],
  "not-open": ["conflict", "This invitation is no longer open. Reload the page."],
  "already-member": [
    "conflict",
    "Everyone you chose is already on the team, so nothing was changed. Revoke these invitations.",
  ],
  "too-many-mails": [
    "conflict",
    "This team already has 1,000 emails queued, so nothing was sent. Wait until some are sent, or invite without email and share the links.",
  ],
  "no-invitation": ["conflict", noLink],
  "other-address": ["conflict", "This invitation is for another address. Sign in with the invited address."],
  used: ["conflict", "This invitation has already been accepted. Go to your teams, or ask for a new one."],
  revoked: ["conflict", "This invitation was revoked. Ask the team for a new one."],
  expired: ["conflict", "This invitation has expired. Ask the team for a new one."],
  "already-in-team": ["conflict", "You're already an active member of this team. Go to your teams to open it."],
  suspended: [
    "conflict",
    "Your access to this team is suspended. Ask an administrator of the team to restore your access.",
  ],
  "inviter-may-not": [
    "conflict",
    "This invitation is no longer valid because the person who invited you can no longer assign this role. Ask an administrator of the team for a new one.",
  ],
};
