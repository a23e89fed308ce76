import { z } from "zod";
import { personNameSchema } from "@/lib/auth/person-schema";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";

/** The secret of an invitation link: 256 random bits as 43 base64url characters. */
export const invitationTokenSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "isn't an invitation");

/** Path of the page that accepts an invitation. */
export function invitationPath(token: string): string {
  return `/invitation/${token}`;
}

const maxInvitations = 500; // at once

const campaigns = z.array(z.object({ id: campaignIdSchema, roleId: z.uuid() })).max(100);

/** One address: its role in the team, and its roles in campaigns. */
const invitationSchema = z.object({
  email: z.string().trim().max(254, "must have at most 254 characters").pipe(z.email("isn't an email address")),
  name: personNameSchema.nullable(),
  roleId: z.uuid("is required"),
  campaigns,
});

/** Who to invite at once. With `mail` each address gets an email. */
export const invitationListSchema = z.object({
  team: teamIdSchema,
  mail: z.boolean(),
  invitations: z
    .array(invitationSchema)
    .min(1, "is required")
    .max(maxInvitations, `must have at most ${maxInvitations} addresses`),
});
export type InvitationList = z.infer<typeof invitationListSchema>;

/** Several invitations of a team. */
export const invitationIdsSchema = z.array(z.uuid()).min(1).max(maxInvitations);

/** What to change in invitations; what is missing stays. */
export const invitationEditSchema = z.object({ roleId: z.uuid().optional(), campaigns: campaigns.optional() });
export type InvitationEdit = z.infer<typeof invitationEditSchema>;
