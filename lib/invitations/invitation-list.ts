import { z } from "zod";
import { personNameSchema } from "@/lib/auth/person-schema";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";

/** The most addresses that are invited at once. */
const mostInvitations = 500;

/** One address: its role in the team, and its roles in campaigns. */
const invitationSchema = z.object({
  email: z.string().trim().max(254, "may have 254 characters").pipe(z.email("is no e-mail address")),
  name: personNameSchema.nullable(),
  roleId: z.uuid("is missing"),
  campaigns: z.array(z.object({ id: campaignIdSchema, roleId: z.uuid() })).max(100),
});

/** What is asked for at once. With `mail` each address gets an e-mail, when its turn comes. */
export const invitationListSchema = z.object({
  team: teamIdSchema,
  mail: z.boolean(),
  invitations: z
    .array(invitationSchema)
    .min(1, "names nobody")
    .max(mostInvitations, `may have ${mostInvitations} addresses`),
});
export type InvitationList = z.infer<typeof invitationListSchema>;
