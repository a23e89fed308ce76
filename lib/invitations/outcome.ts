import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";

const refusalSchema = z.enum([
  "not-allowed",
  "gone",
  "more-than-own",
  "not-open",
  "member-by-now",
  "too-many-mails",
  "no-invitation",
  "other-address",
  "used",
  "revoked",
  "expired",
  "in-team-already",
  "suspended",
  "inviter-may-not",
]);

const refusals: Record<z.infer<typeof refusalSchema>, string> = {
  "not-allowed": "You may not invite people into this team any more. Reload the page to see what you may do.",
  gone: "A role or a campaign is no longer there, and nobody was invited. Reload the page and choose another one.",
  "more-than-own":
    "One of these roles gives permissions that you do not hold yourself, and nobody was invited. Choose another role, or ask an administrator of the team.",
  "not-open": "This invitation is not open any more. Reload the page to see those that are.",
  "member-by-now": "Whoever has this address is in the team by now, and nothing was sent. Revoke the invitation.",
  "too-many-mails":
    "More than 1,000 e-mails of this team would wait to be sent, and nothing was done. Wait until some are sent, or invite without an e-mail and hand over the links.",
  "no-invitation": "This link leads to no invitation. Check that you have copied all of it, or ask for a new one.",
  "other-address": "This invitation is for another address. Sign in with the address that it was made for.",
  used: "This invitation has been accepted already, and works once. Go to your teams, or ask for a new one.",
  revoked: "This invitation was revoked. Ask the team for a new one.",
  expired: "This invitation has expired. Ask the team for a new one.",
  "in-team-already": "You are an active member of this team already. Go to your teams to open it.",
  suspended:
    "You are suspended in this team, so this invitation does not let you in. Ask an administrator of the team.",
  "inviter-may-not":
    "The one who invited you may no longer give this role. Ask an administrator of the team for a new invitation.",
};

const outcomeSchema = z.looseObject({ outcome: z.union([z.literal("done"), refusalSchema]) });

/** Passes when SQL has done it. Throws AppError `conflict` with the reason otherwise; then nothing has changed. */
export function readInvitationOutcome(answer: unknown): void {
  const { outcome } = outcomeSchema.parse(answer);
  if (outcome !== "done") throw new AppError("conflict", refusals[outcome]);
}
