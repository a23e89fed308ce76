"use server";

import { z } from "zod";
import { jsonField } from "@/lib/forms/json-field";
import { teamIdSchema } from "@/lib/ids";
import { accessAction } from "@/lib/team-access/access-action";
import { teamSettingsSchema } from "@/lib/team-access/access-change";

// Leaving, and taking a campaign out, hold no typed text: that is sent to `saveAccess`.

const { name, timeZone, locale, linesPerSheet } = teamSettingsSchema.shape;
const edited = z.object({
  ...{ team: teamIdSchema, name, timeZone, locale, before: jsonField(teamSettingsSchema) },
  linesPerSheet: z.coerce.number<string>("is no number").pipe(linesPerSheet),
});

/**
 * Changes what is set for a team (`team`, `name`, `timeZone`, `locale`, `linesPerSheet`, and `before` as JSON of what was
 * shown), with `members.manage`.
 */
export const editTeam = accessAction({
  schema: edited,
  keep: ["name", "timeZone", "locale", "linesPerSheet"],
  change: ({ team, before, ...after }) => ({ kind: "edit-team", team, before, after }),
});
