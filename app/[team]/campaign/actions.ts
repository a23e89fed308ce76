"use server";

import { z } from "zod";
import { jsonField } from "@/lib/forms/json-field";
import { placeSchema } from "@/lib/ids";
import { daySchema } from "@/lib/storable";
import { accessAction } from "@/lib/team-access/access-action";
import { campaignTextsSchema } from "@/lib/team-access/access-change";

// Archiving and attaching hold no typed text: that is sent to `saveAccess`.

const day = z.preprocess((value) => value || null, daySchema.nullable());
const texts = {
  name: campaignTextsSchema.shape.name,
  signatureGoal: z.union(
    [
      z.literal("").transform(() => null),
      z.coerce
        .number<string>("is no number")
        .pipe(z.int("is no whole number").min(1, "is at least 1").max(100_000_000)),
    ],
    "is no whole number from 1 to 100,000,000",
  ),
  startsOn: day,
  endsOn: day,
};
const inOrder = ({ startsOn, endsOn }: { startsOn: string | null; endsOn: string | null }) =>
  startsOn === null || endsOn === null || startsOn <= endsOn;
const notInOrder = { path: ["endsOn"], message: "is before the first day" };
const newCampaign = placeSchema.extend(texts).refine(inOrder, notInOrder);
const editedCampaign = placeSchema
  .extend({ ...texts, before: jsonField(campaignTextsSchema) })
  .refine(inOrder, notInOrder);
const typed: (keyof typeof texts)[] = ["name", "signatureGoal", "startsOn", "endsOn"];

/**
 * Creates a campaign of the team (`team`, `campaign` its id, `name`, `signatureGoal`, `startsOn`, `endsOn`; the last three
 * may be empty), with `members.manage`.
 */
export const createCampaign = accessAction({
  schema: newCampaign,
  keep: ["campaign", ...typed],
  change: ({ team, campaign, ...after }) => ({
    kind: "create-campaign",
    team,
    campaign,
    after: { ...after, archived: false },
  }),
});

/**
 * Changes name, goal and days of a campaign (as `createCampaign`, and `before` as JSON of the texts that were shown, as
 * `campaignTextsSchema` has them), with `members.manage`.
 */
export const editCampaign = accessAction({
  schema: editedCampaign,
  keep: typed,
  change: ({ team, campaign, before, ...after }) => ({
    kind: "edit-campaign",
    team,
    campaign,
    before,
    after: { ...after, archived: before.archived },
  }),
});
