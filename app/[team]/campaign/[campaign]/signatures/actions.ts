"use server";

import { after } from "next/server";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { typedNumber } from "@/lib/forms/typed-number";
import { type CampaignOfTeam, placeSchema } from "@/lib/ids";
import { requireCampaign, requirePermission } from "@/lib/permissions/require-place";
import {
  correctedLineSchema,
  reasonSchema,
  sheetDetailsSchema,
  sheetOrLineNumberSchema,
} from "@/lib/signatures/changes";
import { placeText } from "@/lib/signatures/line-text";
import * as lines from "@/lib/signatures/lines";
import * as sheets from "@/lib/signatures/sheets";

const staleSetNotice = " Duplicate checks may miss this for a moment.";
const requireEntry = ({ team, campaign }: CampaignOfTeam) => requirePermission({ team, campaign }, "signatures.enter");

// The database decides which of the two permissions a line needs.
const requireChange = async ({ team, campaign }: CampaignOfTeam) => {
  const access = await requireCampaign(team, campaign);
  if (access.snapshot.permissionKeys.includes(lines.changePermission(true))) return access;
  return requirePermission({ team, campaign }, lines.changePermission(false));
};
const change = placeSchema.extend({ id: z.uuid().toLowerCase(), reason: reasonSchema });
const sheetOrLineNumber = typedNumber(sheetOrLineNumberSchema);

/** Removes the line `id`: the user's own with `signatures.enter`, others' with `signatures.remove` and a `reason`. */
export const removeLine = formAction({
  guard: requireChange,
  schema: change,
  run: async (line, { session }) => {
    const { isSetStale } = await lines.removeLine({ ...line, actorId: session.userId }, after);
    return { message: `Line removed.${isSetStale ? staleSetNotice : ""}` };
  },
});

/** Restores the removed line `id`, with the permission that its removal needed. */
export const restoreLine = formAction({
  guard: requireChange,
  schema: change,
  run: async (line, { session }) => {
    const { isSetStale } = await lines.restoreLine({ ...line, actorId: session.userId }, after);
    return { message: `Line restored.${isSetStale ? staleSetNotice : ""}` };
  },
});

/** Moves the line `id` to `line` of `sheet`, with the permission that removing it needs. */
export const moveLine = formAction({
  guard: requireChange,
  schema: change.extend({ sheet: sheetOrLineNumber, line: sheetOrLineNumber }),
  run: async (line, { session }) => {
    await lines.moveLine({ ...line, actorId: session.userId });
    return { message: `Moved to ${placeText(line)}.` };
  },
});

/** Replaces the line `id` with the sent fields, with the permission that removing it needs. `data` is the new line. */
export const correctLine = formAction({
  guard: requireChange,
  schema: correctedLineSchema.safeExtend(change.shape),
  run: async ({ team, campaign, id, reason, ...correction }, { session }) => {
    const args = { team, campaign, id, reason, correction, actorId: session.userId };
    const { isSetStale, ...data } = await lines.correctLine(args, after);
    return { message: `Line corrected.${isSetStale ? staleSetNotice : ""}`, data };
  },
});

/** Renumbers the sheet `from` as `to`, with the permission to remove each of its lines. `data` lists conflicts. */
export const renumberSheet = formAction({
  guard: requireChange,
  schema: placeSchema
    .extend({ from: sheetOrLineNumber, to: sheetOrLineNumber, reason: reasonSchema })
    .refine(({ from, to }) => from !== to, { path: ["to"], message: "is the number the sheet already has" }),
  run: async (input, { session }) => {
    const data = await sheets.renumberSheet({ ...input, actorId: session.userId });
    const message =
      data.outcome === "renumbered"
        ? `Sheet ${input.from} is now sheet ${input.to}.`
        : "Couldn't renumber the sheet: some line numbers exist on both sheets.";
    return { message, data };
  },
});

/** Saves the sent fields of the sheet `number`. */
export const saveSheetDetails = formAction({
  guard: requireEntry,
  schema: placeSchema.extend({
    number: sheetOrLineNumber,
    circulator: sheetDetailsSchema.shape.circulator,
    // Optional: a field that isn't sent is unchanged.
    collectedOn: z
      .string()
      .transform((text) => text || null)
      .pipe(sheetDetailsSchema.shape.collectedOn.unwrap())
      .optional(),
    signatureCount: typedNumber(sheetDetailsSchema.shape.signatureCount),
  }),
  run: async ({ team, campaign, number, ...details }, { session }) => {
    const data = await sheets.saveSheetDetails({ team, campaign, number, details, actorId: session.userId });
    return { message: `Sheet ${number} saved.`, data };
  },
});

/** Deletes the sheet `number` if it has no lines. */
export const deleteSheet = formAction({
  guard: requireEntry,
  schema: placeSchema.extend({ number: sheetOrLineNumber }),
  run: async (input, { session }) => {
    await sheets.deleteSheet({ ...input, actorId: session.userId });
    return { message: `Sheet ${input.number} deleted.` };
  },
});
