"use server";

import { z } from "zod";
import { isSearchProfile } from "@/lib/campaigns/campaigns";
import { readCountyTargets } from "@/lib/campaigns/county-targets";
import { emptyAsNull } from "@/lib/forms/empty-as-null";
import { jsonField } from "@/lib/forms/json-field";
import { commaAsPoint, withoutPercentSign } from "@/lib/forms/read-number";
import { typedNumber } from "@/lib/forms/typed-number";
import { campaignIdSchema, placeSchema } from "@/lib/ids";
import { storableText } from "@/lib/storable";
import { accessAction } from "@/lib/team-access/access-action";
import { campaignSettingsSchema, daysInOrder } from "@/lib/team-access/access-change";
import { officialCheckFields, sampleHasSize, thresholdsInOrder } from "@/lib/team-access/official-check-fields";

// Changes without typed text, such as archiving, use `saveAccess`.

const { name, signatureGoal, startsOn, endsOn, linesPerSheet, searchProfile, districts } = campaignSettingsSchema.shape;
const newFields = {
  name,
  signatureGoal: typedNumber(signatureGoal),
  startsOn: emptyAsNull(startsOn),
  endsOn: emptyAsNull(endsOn),
};
const editedFields = {
  ...newFields,
  linesPerSheet: typedNumber(linesPerSheet),
  searchProfile: emptyAsNull(searchProfile),
  districts: emptyAsNull(districts),
};
// Optional, because the form sends only the fields of the chosen method.
const optionalNumber = <Schema extends z.ZodType>(schema: Schema) => emptyAsNull(typedNumber(schema));
const optionalPercent = <Schema extends z.ZodType>(schema: Schema) =>
  emptyAsNull(
    z.preprocess((value, { addIssue }) => {
      if (typeof value !== "string") return value;
      const withPoint = commaAsPoint(value);
      if (withPoint !== null) addIssue(`Use a decimal point: ${withPoint}`);
      return Number(withoutPercentSign(value));
    }, schema),
  );
const { checkMethod, countyTargets, ...checkFields } = officialCheckFields;
const officialCheck = {
  requiredSignatures: optionalNumber(checkFields.requiredSignatures),
  safetyMargin: optionalPercent(checkFields.safetyMargin),
  officialRejection: optionalPercent(checkFields.officialRejection),
  checkMethod: emptyAsNull(checkMethod),
  samplePercent: optionalPercent(checkFields.samplePercent),
  sampleMinimum: optionalNumber(checkFields.sampleMinimum),
  passPercent: optionalPercent(checkFields.passPercent),
  failPercent: optionalPercent(checkFields.failPercent),
  countyTargets: storableText
    .max(40_000, "is too long")
    .transform((text, context) => {
      const { targets, notes } = readCountyTargets(text);
      const problems = notes.flatMap(({ text, isProblem }) => (isProblem ? [text] : []));
      if (problems.length > 0) context.addIssue({ code: "custom", message: problems.join(" ") });
      return targets;
    })
    .pipe(countyTargets)
    .default([]),
};
const newCampaignSchema = placeSchema
  .extend({
    ...newFields,
    campaign: z.string().trim().min(1, "Enter a web address").pipe(campaignIdSchema),
  })
  .refine(...daysInOrder);
const editedCampaignSchema = placeSchema
  .extend({ ...editedFields, ...officialCheck, before: jsonField(campaignSettingsSchema) })
  .refine(...daysInOrder)
  .refine(...sampleHasSize)
  .refine(...thresholdsInOrder)
  .refine(
    ({ searchProfile, before }) =>
      searchProfile === null || searchProfile === before.searchProfile || isSearchProfile(searchProfile),
    { path: ["searchProfile"], message: "isn't configured" },
  );

/**
 * Creates a campaign of the team, with `members.manage`. Fields: `team`, `campaign` (its id), `name`, and optionally
 * `signatureGoal`, `startsOn` and `endsOn`.
 */
export const createCampaign = accessAction({
  schema: newCampaignSchema,
  keepOnError: ["campaign", "name", "signatureGoal", "startsOn", "endsOn"],
  change: ({ team, campaign, ...after }) => ({ kind: "create-campaign", team, campaign, after }),
});

/**
 * Changes a campaign, with `members.manage`. Fields: those of `createCampaign`, `linesPerSheet` and `before` (the shown
 * settings as JSON). Optional fields: `searchProfile`, `districts` and those of `officialCheckFields`, with targets as text.
 */
export const editCampaign = accessAction({
  schema: editedCampaignSchema,
  keepOnError: [
    "name",
    "signatureGoal",
    "startsOn",
    "endsOn",
    "linesPerSheet",
    "searchProfile",
    "districts",
    "requiredSignatures",
    "safetyMargin",
    "officialRejection",
    "checkMethod",
    "samplePercent",
    "sampleMinimum",
    "passPercent",
    "failPercent",
    "countyTargets",
  ],
  change: ({ team, campaign, before, ...after }) => ({
    kind: "edit-campaign",
    team,
    campaign,
    before,
    after: { ...after, archived: before.archived },
  }),
});
