"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { formatOf } from "@/lib/format/format-of";
import { emptyAsNull } from "@/lib/forms/empty-as-null";
import { formAction } from "@/lib/forms/form-action";
import { typedNumber } from "@/lib/forms/typed-number";
import { type CampaignOfTeam, placeSchema } from "@/lib/ids";
import { requirePermission } from "@/lib/permissions/require-place";
import { sheetOrLineNumberSchema } from "@/lib/signatures/changes";
import { rightEntrySchema } from "@/lib/signatures/line";
import * as quality from "@/lib/signatures/quality";

const { manage, enter } = quality.qualityPermissions;
const requireManage = ({ team, campaign }: CampaignOfTeam) => requirePermission({ team, campaign }, manage);
const requireEnter = ({ team, campaign }: CampaignOfTeam) => requirePermission({ team, campaign }, enter);
const id = z.uuid().toLowerCase();
const sizeProblem = "Enter a number of lines from 4 to 500";

/** Draws `size` lines at random for the quality check, of a sheet or a clerk if one is chosen. */
export const drawQualityLines = formAction({
  guard: requireManage,
  schema: placeSchema.extend({
    size: typedNumber(z.int(sizeProblem).min(4, sizeProblem).max(500, sizeProblem)),
    sheet: emptyAsNull(typedNumber(sheetOrLineNumberSchema).nullable()),
    clerk: emptyAsNull(z.guid().nullable()),
  }),
  run: async (input, { session }) => {
    const drawn = await quality.drawSample({ ...input, actorId: session.userId });
    refresh();
    const { count } = formatOf();
    const { waiting } = await quality.readQualityCheck(input);
    const notice = drawn < input.size ? " No others are left to draw." : "";
    return { message: `${count(drawn, "line")} drawn. ${count(waiting, "is", "are")} waiting.${notice}` };
  },
});

/**
 * Stores the second entry of the line `id`, and returns the next line as `data`. Without a verdict it only skips the line;
 * with `again`, it returns that line and deletes its second entry.
 */
export const enterQualityLine = formAction({
  guard: requireEnter,
  schema: placeSchema.extend({
    id: emptyAsNull(id.nullable()),
    again: id.optional(),
    ...quality.secondEntrySchema.shape,
    verdict: quality.secondEntrySchema.shape.verdict.optional(),
  }),
  run: async ({ team, campaign, id, again, verdict, ...entry }, { session }) => {
    const actor = { team, campaign, actorId: session.userId };
    const hasEntry = id !== null && verdict !== undefined;
    if (hasEntry) await quality.enterLine({ ...actor, id, entry: { verdict, ...entry } });
    const data = await quality.takeLine({ ...actor, skip: hasEntry ? null : id, again });
    refresh();
    return { message: hasEntry ? "Entry saved." : "", data };
  },
});

const decision = emptyAsNull(rightEntrySchema.nullable());

/** Decides which entry of the line `id` is right, or undoes that. `was` is the decision that the screen showed. */
export const settleQualityLine = formAction({
  guard: requireManage,
  schema: placeSchema.extend({ id, right: decision, was: decision }),
  run: async (input, { session }) => {
    await quality.settleLine({ ...input, actorId: session.userId });
    refresh();
    return { message: input.right === null ? "Undone." : "Settled." };
  },
});
