"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";
import { requireTeam } from "@/lib/permissions/require-place";
import { permissionKeySchema } from "@/lib/permissions/snapshot";
import { storableText } from "@/lib/storable";
import { requestMessages } from "@/lib/team-access/messages";
import { askForAccess } from "@/lib/team-access/requests";

/** Asks the team's administrators for a key. Fields: `team`, `campaign` (optional), `key`, `page` (its path), `reason`. */
export const requestAccess = formAction({
  guard: ({ team }) => requireTeam(team),
  rate: "accessRequest",
  schema: z.object({
    team: teamIdSchema,
    campaign: campaignIdSchema.optional(),
    key: permissionKeySchema,
    page: storableText.max(500).startsWith("/").optional(),
    reason: storableText.trim().max(300, "must have at most 300 characters").optional(),
  }),
  keepOnError: ["reason"],
  run: async ({ team, campaign, key, page = null, reason }, { session }) => {
    const outcome = await askForAccess(session, { team, campaign }, key, { page, reason: reason || null });
    refresh();
    return { message: requestMessages[outcome] };
  },
});
