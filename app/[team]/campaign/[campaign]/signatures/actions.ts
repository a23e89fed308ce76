"use server";

import { after } from "next/server";
import { z } from "zod";
import { jsonField } from "@/lib/forms/json-field";
import { type CampaignOfTeam, placeSchema } from "@/lib/ids";
import { requireCampaign, requirePermission } from "@/lib/permissions/require-place";
import { closeSheet } from "@/lib/signatures/close-sheet";
import { discardSheet } from "@/lib/signatures/discard-sheet";
import { lineAction } from "@/lib/signatures/line-action";
import type { LineOutcome, RenumberOutcome, SheetOutcome } from "@/lib/signatures/line-outcome";
import { lineSchema, paperNumberSchema, paperSchema, reasonSchema } from "@/lib/signatures/line-schema";
import { moveLine } from "@/lib/signatures/move-line";
import { openSheet } from "@/lib/signatures/open-sheet";
import { outcomeText } from "@/lib/signatures/outcome-text";
import { recordLine } from "@/lib/signatures/record-line";
import { removeLine } from "@/lib/signatures/remove-line";
import { renumberSheet } from "@/lib/signatures/renumber-sheet";
import { restoreLine } from "@/lib/signatures/restore-line";
import { writePaper } from "@/lib/signatures/write-paper";

const longest = 20_000; // characters; the widest line has a tenth of it

const requireEntry = ({ team, campaign }: CampaignOfTeam) => requirePermission({ team, campaign }, "signatures.enter");
const told = (data: LineOutcome) => ({ message: outcomeText(data), data });

/** Stores the line in the field `line` (JSON), accepted or not, with `signatures.enter`. Sending it again is harmless. */
export const submitLine = lineAction({
  guard: ({ line }) => requireEntry(line),
  schema: z.object({ line: jsonField(lineSchema, { longest }) }),
  run: async ({ line }, { session }) => told(await recordLine({ actorId: session.userId, line }, after)),
});

// Whose lines she may change with which of the keys is decided by the database.
const requireChange = async ({ team, campaign }: CampaignOfTeam) => {
  const access = await requireCampaign(team, campaign);
  if (access.snapshot.permissionKeys.includes("signatures.enter")) return access;
  return requirePermission({ team, campaign }, "signatures.remove");
};
const change = placeSchema.extend({ id: z.uuid().toLowerCase(), because: reasonSchema });

/** Removes the line `id`: one's own with `signatures.enter`, others' with `signatures.remove` and the reason `because`. */
export const submitRemoval = lineAction({
  guard: requireChange,
  schema: change,
  run: async (line, { session }) => told(await removeLine({ ...line, actorId: session.userId }, after)),
});

/** Restores the removed line `id`, with the keys that removing it needs. */
export const submitRestore = lineAction({
  guard: requireChange,
  schema: change,
  run: async (line, { session }) => {
    const data = await restoreLine({ ...line, actorId: session.userId }, after);
    return { message: outcomeText(data), data };
  },
});

const paperNumber = z.preprocess(Number, paperNumberSchema);

/** Moves the line `id` to `line` of `sheet`, with the keys that removing it needs. */
export const submitMove = lineAction({
  guard: requireChange,
  schema: change.extend({ sheet: paperNumber, line: paperNumber }),
  run: async (line, { session }) => {
    await moveLine({ ...line, actorId: session.userId });
    return { message: `Moved to sheet ${line.sheet}, line ${line.line}.` };
  },
});

/** Renumbers the sheet `from` as `to`, with the keys that removing each of its lines needs. `data` lists what conflicts. */
export const submitRenumber = lineAction({
  guard: requireChange,
  schema: placeSchema
    .extend({ from: paperNumber, to: paperNumber, because: reasonSchema })
    .refine(({ from, to }) => from !== to, { path: ["to"], message: "is the number that the sheet has" }),
  run: async (asked, { session }) => {
    const data: RenumberOutcome = await renumberSheet({ ...asked, actorId: session.userId });
    const message =
      data.outcome === "renumbered"
        ? `Sheet ${asked.from} is sheet ${asked.to} now.`
        : "Nothing was moved: lines stand at both numbers.";
    return { message, data };
  },
});

const number = z.preprocess((value) => (value ? Number(value) : null), paperNumberSchema.nullable());

/** Starts the sheet `number`, or the next one without it; resumes or reopens an existing one. With `signatures.enter`. */
export const submitOpenSheet = lineAction({
  guard: requireEntry,
  schema: placeSchema.extend({ number }),
  run: async (asked, { session }) => {
    const sheet = await openSheet({ ...asked, actorId: session.userId });
    const data: SheetOutcome = { outcome: "opened", sheet };
    return { message: `Sheet ${sheet.number}, line ${sheet.nextLine}.`, data };
  },
});

/** Closes the sheet `number`, with `signatures.enter`. */
export const submitCloseSheet = lineAction({
  guard: requireEntry,
  schema: placeSchema.extend({ number: paperNumber }),
  run: async (asked, { session }) => {
    const sheet = await closeSheet({ ...asked, actorId: session.userId });
    const data: SheetOutcome = { outcome: "closed", sheet };
    return { message: `Sheet ${sheet.number} is closed.`, data };
  },
});

// A field that is not sent stays as it is; an empty one is cleared.
const orNull = (value: unknown) => (value === "" ? null : value);
const numberOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? Number(value) : orNull(value));

/** Writes on the sheet `number` what its paper says, as far as it is sent, with `signatures.enter`. */
export const submitPaper = lineAction({
  guard: requireEntry,
  schema: placeSchema.extend({
    number: paperNumber,
    circulator: paperSchema.shape.circulator,
    collectedOn: z.preprocess(orNull, paperSchema.shape.collectedOn),
    signatureCount: z.preprocess(numberOrNull, paperSchema.shape.signatureCount),
  }),
  run: async ({ team, campaign, number, ...paper }, { session }) => {
    const sheet = await writePaper({ team, campaign, number, paper, actorId: session.userId });
    return { message: `Sheet ${number} is saved.`, data: { outcome: "written" as const, sheet } };
  },
});

/** Discards the sheet `number`, on which no line stands, with `signatures.enter`. */
export const submitDiscardSheet = lineAction({
  guard: requireEntry,
  schema: placeSchema.extend({ number: paperNumber }),
  run: async (asked, { session }) => {
    await discardSheet({ ...asked, actorId: session.userId });
    return { message: `Sheet ${asked.number} is discarded.` };
  },
});
