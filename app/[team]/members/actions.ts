"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { teamIdSchema } from "@/lib/ids";
import { createInvitation } from "@/lib/invitations/create-invitation";
import { revokeInvitation } from "@/lib/invitations/revoke-invitation";
import { requirePermission } from "@/lib/permissions/require-place";
import { closeAccessRequest } from "@/lib/team-access/close-access-request";

const invitation = z.object({
  team: teamIdSchema,
  email: z.string().trim().max(254, "may have 254 characters").pipe(z.email("is no e-mail address")),
  roleId: z.uuid("is missing"),
});
const one = z.object({ team: teamIdSchema, id: z.uuid() });

const guard = ({ team }: { team: string }) => requirePermission({ team }, "members.manage");

/** Invites an address (`team`, `email`, `roleId`), with `members.manage`. The link in `data` is shown this once. */
export const inviteMember = formAction({
  guard,
  schema: invitation,
  keep: ["email", "roleId"],
  run: async (invited) => {
    const data = await createInvitation(invited);
    refresh();
    return { message: `Invitation for ${invited.email} made. Copy the link: it is shown only now.`, data };
  },
});

/** Revokes an open invitation (`team`, `id`), with `members.manage`. */
export const revokeOpenInvitation = formAction({
  guard,
  schema: one,
  run: async (asked) => {
    await revokeInvitation(asked);
    refresh();
    return { message: "Invitation revoked." };
  },
});

/** Closes a request for access (`team`, `id`), with `members.manage`. */
export const closeRequest = formAction({
  guard,
  schema: one,
  run: async (asked) => {
    await closeAccessRequest(asked);
    refresh();
    return { message: "Request closed." };
  },
});
