"use server";

import { emptyAsNull } from "@/lib/forms/empty-as-null";
import { jsonField } from "@/lib/forms/json-field";
import { typedNumber } from "@/lib/forms/typed-number";
import { teamIdSchema } from "@/lib/ids";
import { accessAction } from "@/lib/team-access/access-action";
import { teamSettingsSchema } from "@/lib/team-access/access-change";

// Changes without typed text, such as leaving, use `saveAccess`.

const edited = teamSettingsSchema.extend({
  team: teamIdSchema,
  before: jsonField(teamSettingsSchema),
  linesPerSheet: typedNumber(teamSettingsSchema.shape.linesPerSheet),
  eraseAfterDays: emptyAsNull(typedNumber(teamSettingsSchema.shape.eraseAfterDays)),
});

/** Changes the settings of a team (with `before` as JSON of what was shown), with `members.manage`. */
export const editTeam = accessAction({
  schema: edited,
  keepOnError: ["name", "timeZone", "locale", "linesPerSheet", "eraseAfterDays", "secondFactor"],
  change: ({ team, before, ...after }) => ({ kind: "edit-team", team, before, after }),
});
