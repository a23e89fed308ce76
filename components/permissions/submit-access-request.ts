"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";
import { permissionKeySchema } from "@/lib/permissions/permission-key-schema";
import { requireTeam } from "@/lib/permissions/require-place";
import { storableText } from "@/lib/storable";
import { askForAccess } from "@/lib/team-access/requests";

const messages = {
  asked: "Asked. The administrators of the team see it.",
  "asked-already": "You have asked for this already, and the administrators of the team see it.",
  held: "You hold this permission by now. Refresh your permissions to go on.",
};

/** Asks the administrators of a team for a key (`team`, `campaign` or none, `key`, `page`: its path), as a member of the team. */
export const submitAccessRequest = formAction({
  guard: ({ team }) => requireTeam(team),
  rate: "accessRequest",
  schema: z.object({
    team: teamIdSchema,
    campaign: campaignIdSchema.optional(),
    key: permissionKeySchema,
    page: storableText.max(500).startsWith("/").optional(),
  }),
  run: async ({ team, campaign, key, page }, { session }) => {
    const outcome = await askForAccess(session, { team, ...(campaign && { campaign }) }, key, page ?? null);
    refresh();
    return { message: messages[outcome] };
  },
});
