"use server";

import { z } from "zod";
import type { FormState } from "@/lib/forms/form-state";
import { submitForm } from "@/lib/forms/submit-form";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";
import { permissionKeySchema } from "@/lib/permissions/permission-key-schema";
import { requireTeam } from "@/lib/permissions/require-place";
import { requireUser } from "@/lib/permissions/require-user";
import { askForAccess } from "@/lib/teams/ask-for-access";

const place = z.object({ team: teamIdSchema, campaign: campaignIdSchema.optional(), key: permissionKeySchema });

const messages = {
  asked: "Asked. The administrators of the team see it in their activity.",
  "asked-already": "You have asked for this already, and the administrators see it in their activity.",
  held: "You hold this permission by now. Refresh your permissions to go on.",
};

/** Asks the administrators of a team for a key (`team`, `campaign` or none, `key`), as a member of the team. */
export async function submitAccessRequest(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, {
    schema: place,
    run: async ({ team, campaign, key }) => {
      await requireTeam(team);
      return { message: messages[await askForAccess({ team, ...(campaign && { campaign }) }, key)] };
    },
  });
}
