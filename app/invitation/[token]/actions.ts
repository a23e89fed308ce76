"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import type { FormState } from "@/lib/forms/form-state";
import { submitForm } from "@/lib/forms/submit-form";
import { acceptInvitation } from "@/lib/invitations/accept-invitation";
import { invitationTokenSchema } from "@/lib/invitations/invitation-link";
import { invalidatePermissions } from "@/lib/permissions/invalidate-permissions";
import { requireUser } from "@/lib/permissions/require-user";

/** Accepts the invitation of a link (`token`) as the signed-in user, and opens the team. */
export async function submitAcceptance(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: z.object({ token: invitationTokenSchema }),
    run: async ({ token }) => {
      const team = await acceptInvitation(token);
      if (!(await invalidatePermissions())) {
        return { message: "You are in the team; it opens when the connection is back." };
      }
      redirect(`/${team}`);
    },
  });
}
