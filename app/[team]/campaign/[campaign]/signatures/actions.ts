"use server";

import { after } from "next/server";
import { z } from "zod";
import type { FormState } from "@/lib/forms/form-state";
import { jsonField } from "@/lib/forms/json-field";
import { campaignIdSchema, teamIdSchema } from "@/lib/ids";
import { requireCampaign, requirePermission } from "@/lib/permissions/require-place";
import { requireUser } from "@/lib/permissions/require-user";
import { closeSheet } from "@/lib/signatures/close-sheet";
import type { LineOutcome, SheetOutcome } from "@/lib/signatures/line-outcome";
import { openSheet } from "@/lib/signatures/open-sheet";
import { outcomeText } from "@/lib/signatures/outcome-text";
import { recordRejectedLine } from "@/lib/signatures/record-rejected-line";
import { recordSignature } from "@/lib/signatures/record-signature";
import { removeLine } from "@/lib/signatures/remove-line";
import { paperNumberSchema, rejectedLineSchema, signatureLineSchema } from "@/lib/signatures/signature-line-schema";
import { submitLine } from "@/lib/signatures/submit-line";

const longest = 20_000; // characters; the widest line has a tenth of it

/** Stores the signature in the field `line` (JSON), with `signatures.enter`. Sending it again is harmless. */
export async function submitSignature(_state: FormState<LineOutcome>, form: FormData): Promise<FormState<LineOutcome>> {
  await requireUser();
  return submitLine(form, {
    schema: z.object({ line: jsonField(signatureLineSchema, { longest }) }),
    run: async ({ line }) => {
      const { session } = await requirePermission({ team: line.teamId, campaign: line.campaignId }, "signatures.enter");
      const data = await recordSignature({ actorId: session.userId, line }, after);
      return { message: outcomeText(data), data };
    },
  });
}

/** Stores the line that does not count in the field `line` (JSON), with `signatures.enter`. Sending it again is harmless. */
export async function submitRejectedLine(
  _state: FormState<LineOutcome>,
  form: FormData,
): Promise<FormState<LineOutcome>> {
  await requireUser();
  return submitLine(form, {
    schema: z.object({ line: jsonField(rejectedLineSchema, { longest }) }),
    run: async ({ line }) => {
      const { session } = await requirePermission({ team: line.teamId, campaign: line.campaignId }, "signatures.enter");
      const data = await recordRejectedLine({ actorId: session.userId, line });
      return { message: outcomeText(data), data };
    },
  });
}

const place = { team: teamIdSchema, campaign: campaignIdSchema };

/** Removes the line `id`: one's own with `signatures.enter`, others' with `signatures.remove`. */
export async function submitRemoval(_state: FormState<LineOutcome>, form: FormData): Promise<FormState<LineOutcome>> {
  await requireUser();
  return submitLine(form, {
    schema: z.object({ ...place, id: z.uuid().toLowerCase() }),
    run: async ({ team, campaign, id }) => {
      const { session, snapshot } = await requireCampaign(team, campaign);
      if (!snapshot.permissionKeys.includes("signatures.enter")) {
        await requirePermission({ team, campaign }, "signatures.remove");
      }
      const data = await removeLine({ actorId: session.userId, teamId: team, campaignId: campaign, id }, after);
      return { message: outcomeText(data), data };
    },
  });
}

/** Starts the sheet `number`, or the next one without it; resumes or reopens an existing one. With `signatures.enter`. */
export async function submitOpenSheet(
  _state: FormState<SheetOutcome>,
  form: FormData,
): Promise<FormState<SheetOutcome>> {
  await requireUser();
  const number = z.preprocess((value) => (value ? Number(value) : null), paperNumberSchema.nullable());
  return submitLine(form, {
    schema: z.object({ ...place, number }),
    run: async ({ team, campaign, number }) => {
      const { session } = await requirePermission({ team, campaign }, "signatures.enter");
      const sheet = await openSheet({ actorId: session.userId, teamId: team, campaignId: campaign, number });
      return { message: `Sheet ${sheet.number}, line ${sheet.nextLine}.`, data: { outcome: "opened", sheet } };
    },
  });
}

/** Closes the sheet `number`, with `signatures.enter`. */
export async function submitCloseSheet(
  _state: FormState<SheetOutcome>,
  form: FormData,
): Promise<FormState<SheetOutcome>> {
  await requireUser();
  return submitLine(form, {
    schema: z.object({ ...place, number: z.preprocess(Number, paperNumberSchema) }),
    run: async ({ team, campaign, number }) => {
      const { session } = await requirePermission({ team, campaign }, "signatures.enter");
      const sheet = await closeSheet({ actorId: session.userId, teamId: team, campaignId: campaign, number });
      return { message: `Sheet ${sheet.number} is closed.`, data: { outcome: "closed", sheet } };
    },
  });
}
