"use server";

import { z } from "zod";
import { isSearchProfile } from "@/lib/campaigns/campaigns";
import { jsonField } from "@/lib/forms/json-field";
import { placeSchema } from "@/lib/ids";
import { daySchema } from "@/lib/storable";
import { accessAction } from "@/lib/team-access/access-action";
import { campaignTextsSchema, daysInOrder } from "@/lib/team-access/access-change";

// Archiving, attaching and handing over have no typed text, so they go to `saveAccess`.

const day = z.preprocess((value) => value || null, daySchema.nullable());
const { name, signatureGoal, linesPerSheet, searchProfile, districts } = campaignTextsSchema.shape;
const newTexts = {
  name,
  signatureGoal: z.preprocess((value) => (value === "" ? null : Number(value)), signatureGoal),
  startsOn: day,
  endsOn: day,
};
const texts = {
  ...newTexts,
  linesPerSheet: z.preprocess(Number, linesPerSheet),
  searchProfile: z.preprocess((value) => value || null, searchProfile),
  districts: z.preprocess((value) => (typeof value === "string" && value.trim()) || null, districts),
};
const newCampaign = placeSchema.extend(newTexts).refine(...daysInOrder);
const editedCampaign = placeSchema
  .extend({ ...texts, before: jsonField(campaignTextsSchema) })
  .refine(...daysInOrder)
  .refine(
    ({ searchProfile, before }) =>
      searchProfile === null || searchProfile === before.searchProfile || isSearchProfile(searchProfile),
    { path: ["searchProfile"], message: "isn't configured" },
  );

/**
 * Creates a campaign of the team (`team`, `campaign` its id, `name`, `signatureGoal`, `startsOn`, `endsOn`; the last three
 * optional), with `members.manage`.
 */
export const createCampaign = accessAction({
  schema: newCampaign,
  keep: ["campaign", "name", "signatureGoal", "startsOn", "endsOn"],
  change: ({ team, campaign, ...after }) => ({ kind: "create-campaign", team, campaign, after }),
});

/**
 * Changes a campaign (as `createCampaign`, with `linesPerSheet`, and, optional, `searchProfile` and `districts`, and `before` as JSON of
 * the texts that were shown, as `campaignTextsSchema` has them), with `members.manage`.
 */
export const editCampaign = accessAction({
  schema: editedCampaign,
  keep: ["name", "signatureGoal", "startsOn", "endsOn", "linesPerSheet", "searchProfile", "districts"],
  change: ({ team, campaign, before, ...after }) => ({
    kind: "edit-campaign",
    team,
    campaign,
    before,
    after: { ...after, archived: before.archived },
  }),
});
