"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import type { FormState } from "@/lib/forms/form-state";
import { submitForm } from "@/lib/forms/submit-form";
import { teamIdSchema } from "@/lib/ids";
import { createInvitation } from "@/lib/invitations/create-invitation";
import { revokeInvitation } from "@/lib/invitations/revoke-invitation";
import { requirePermission } from "@/lib/permissions/require-place";
import { requireUser } from "@/lib/permissions/require-user";
import { closeAccessRequest } from "@/lib/teams/close-access-request";

const invitation = z.object({
  team: teamIdSchema,
  email: z.string().trim().max(254, "may have 254 characters").pipe(z.email("is no e-mail address")),
  roleId: z.uuid("is missing"),
});
const one = z.object({ team: teamIdSchema, id: z.uuid() });

/** Invites an address (`team`, `email`, `roleId`), with `members.manage`. The link in `data` is shown this once. */
export async function inviteMember(
  _state: FormState<{ link: string; expiresAt: string }>,
  form: FormData,
): Promise<FormState<{ link: string; expiresAt: string }>> {
  await requireUser();
  return submitForm(form, {
    schema: invitation,
    keep: ["email", "roleId"],
    run: async ({ team, email, roleId }) => {
      await requirePermission({ team }, "members.manage");
      const data = await createInvitation({ teamId: team, email, roleId });
      refresh();
      return { message: `Invitation for ${email} made. Copy the link: it is shown only now.`, data };
    },
  });
}

/** Revokes an open invitation (`team`, `id`), with `members.manage`. */
export async function revokeOpenInvitation(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: one,
    run: async ({ team, id }) => {
      await requirePermission({ team }, "members.manage");
      await revokeInvitation({ teamId: team, id });
      refresh();
      return { message: "Invitation revoked." };
    },
  });
}

/** Closes a request for access (`team`, `id`), with `members.manage`. */
export async function closeRequest(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: one,
    run: async ({ team, id }) => {
      await requirePermission({ team }, "members.manage");
      await closeAccessRequest({ teamId: team, id });
      refresh();
      return { message: "Request closed." };
    },
  });
}
