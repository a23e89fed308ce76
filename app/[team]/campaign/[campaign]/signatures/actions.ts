"use server";

import { after } from "next/server";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { type CampaignOfTeam, placeSchema } from "@/lib/ids";
import { requireCampaign, requirePermission } from "@/lib/permissions/require-place";
import { paperNumberSchema, paperSchema, reasonSchema } from "@/lib/signatures/line-schema";
import { moveLine, removeLine, restoreLine } from "@/lib/signatures/lines";
import { discardSheet, renumberSheet, writePaper } from "@/lib/signatures/sheets";

const behind = " The fast check for duplicates learns of it when its connection is back.";
const requireEntry = ({ team, campaign }: CampaignOfTeam) => requirePermission({ team, campaign }, "signatures.enter");

// Whose lines she may change with which of the keys is decided by the database.
const requireChange = async ({ team, campaign }: CampaignOfTeam) => {
  const access = await requireCampaign(team, campaign);
  if (access.snapshot.permissionKeys.includes("signatures.enter")) return access;
  return requirePermission({ team, campaign }, "signatures.remove");
};
const change = placeSchema.extend({ id: z.uuid().toLowerCase(), because: reasonSchema });
const paperNumber = z.preprocess(Number, paperNumberSchema);

/** Removes the line `id`: one's own with `signatures.enter`, others' with `signatures.remove` and the reason `because`. */
export const submitRemoval = formAction({
  guard: requireChange,
  schema: change,
  run: async (line, { session }) => {
    const data = await removeLine({ ...line, actorId: session.userId }, after);
    return { message: `Removed.${data.setBehind ? behind : ""}`, data };
  },
});

/** Restores the removed line `id`, with the keys that removing it needs, or that its removal by somebody else did. */
export const submitRestore = formAction({
  guard: requireChange,
  schema: change,
  run: async (line, { session }) => {
    const data = await restoreLine({ ...line, actorId: session.userId }, after);
    return { message: `Restored.${data.setBehind ? behind : ""}`, data };
  },
});

/** Moves the line `id` to `line` of `sheet`, with the keys that removing it needs. */
export const submitMove = formAction({
  guard: requireChange,
  schema: change.extend({ sheet: paperNumber, line: paperNumber }),
  run: async (line, { session }) => {
    await moveLine({ ...line, actorId: session.userId });
    return { message: `Moved to sheet ${line.sheet}, line ${line.line}.` };
  },
});

/** Renumbers the sheet `from` as `to`, with the keys that removing each of its lines needs. `data` lists what conflicts. */
export const submitRenumber = formAction({
  guard: requireChange,
  schema: placeSchema
    .extend({ from: paperNumber, to: paperNumber, because: reasonSchema })
    .refine(({ from, to }) => from !== to, { path: ["to"], message: "is the number that the sheet has" }),
  run: async (asked, { session }) => {
    const data = await renumberSheet({ ...asked, actorId: session.userId });
    const message =
      data.outcome === "renumbered"
        ? `Sheet ${asked.from} is sheet ${asked.to} now.`
        : "Nothing was moved: lines stand at both numbers.";
    return { message, data };
  },
});

// A field that is not sent stays as it is; an empty one is cleared.
const orNull = (value: unknown) => (value === "" ? null : value);
const numberOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? Number(value) : orNull(value));

/** Writes on the sheet `number` what its paper says, as far as it is sent, with `signatures.enter`. */
export const submitPaper = formAction({
  guard: requireEntry,
  schema: placeSchema.extend({
    number: paperNumber,
    circulator: paperSchema.shape.circulator,
    collectedOn: z.preprocess(orNull, paperSchema.shape.collectedOn),
    signatureCount: z.preprocess(numberOrNull, paperSchema.shape.signatureCount),
  }),
  run: async ({ team, campaign, number, ...paper }, { session }) => {
    const sheet = await writePaper({ team, campaign, number, paper, actorId: session.userId });
    return { message: `Sheet ${number} is saved.`, data: sheet };
  },
});

/** Discards the sheet `number`, on which no line stands, with `signatures.enter`. */
export const submitDiscardSheet = formAction({
  guard: requireEntry,
  schema: placeSchema.extend({ number: paperNumber }),
  run: async (asked, { session }) => {
    await discardSheet({ ...asked, actorId: session.userId });
    return { message: `Sheet ${asked.number} is discarded.` };
  },
});
