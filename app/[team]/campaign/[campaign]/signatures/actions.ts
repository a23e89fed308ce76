"use server";

import { after } from "next/server";
import { z } from "zod";
import { jsonField } from "@/lib/forms/json-field";
import { type CampaignOfTeam, placeSchema } from "@/lib/ids";
import { requireCampaign, requirePermission } from "@/lib/permissions/require-place";
import { closeSheet } from "@/lib/signatures/close-sheet";
import { lineAction } from "@/lib/signatures/line-action";
import type { LineOutcome, SheetOutcome } from "@/lib/signatures/line-outcome";
import { lineSchema, paperNumberSchema } from "@/lib/signatures/line-schema";
import { openSheet } from "@/lib/signatures/open-sheet";
import { outcomeText } from "@/lib/signatures/outcome-text";
import { recordLine } from "@/lib/signatures/record-line";
import { removeLine } from "@/lib/signatures/remove-line";

const longest = 20_000; // characters; the widest line has a tenth of it

const requireEntry = ({ team, campaign }: CampaignOfTeam) => requirePermission({ team, campaign }, "signatures.enter");
const told = (data: LineOutcome) => ({ message: outcomeText(data), data });

/** Stores the line in the field `line` (JSON), accepted or not, with `signatures.enter`. Sending it again is harmless. */
export const submitLine = lineAction({
  guard: ({ line }) => requireEntry(line),
  schema: z.object({ line: jsonField(lineSchema, { longest }) }),
  run: async ({ line }, { session }) => told(await recordLine({ actorId: session.userId, line }, after)),
});

/** Removes the line `id`: one's own with `signatures.enter`, others' with `signatures.remove`. */
export const submitRemoval = lineAction({
  guard: async ({ team, campaign }) => {
    const access = await requireCampaign(team, campaign);
    if (access.snapshot.permissionKeys.includes("signatures.enter")) return access;
    return requirePermission({ team, campaign }, "signatures.remove");
  },
  schema: placeSchema.extend({ id: z.uuid().toLowerCase() }),
  run: async (line, { session }) => told(await removeLine({ ...line, actorId: session.userId }, after)),
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
  schema: placeSchema.extend({ number: z.preprocess(Number, paperNumberSchema) }),
  run: async (asked, { session }) => {
    const sheet = await closeSheet({ ...asked, actorId: session.userId });
    const data: SheetOutcome = { outcome: "closed", sheet };
    return { message: `Sheet ${sheet.number} is closed.`, data };
  },
});
