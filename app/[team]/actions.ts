"use server";

import { z } from "zod";
import type { FormState } from "@/lib/forms/form-state";
import { jsonField } from "@/lib/forms/json-field";
import { submitForm } from "@/lib/forms/submit-form";
import { requirePermission } from "@/lib/permissions/require-place";
import { requireUser } from "@/lib/permissions/require-user";
import { accessChangeSchema, keyOfChange } from "@/lib/teams/access-change";
import type { AccessEffects } from "@/lib/teams/access-effects";
import { carryOutChange } from "@/lib/teams/carry-out-change";
import { previewAccessChange } from "@/lib/teams/preview-access-change";

const sent = z.object({ change: jsonField(accessChangeSchema) });

/** Makes a change of members, roles, permission sets or campaigns: the field `change` holds an AccessChange as JSON. */
export async function saveAccess(_state: FormState, form: FormData): Promise<FormState> {
  await requireUser();
  return submitForm(form, { schema: sent, run: ({ change }) => carryOutChange(change) });
}

/** Tells who would gain and lose what by the AccessChange in the field `change`. Nothing is changed. */
export async function previewAccess(
  _state: FormState<AccessEffects>,
  form: FormData,
): Promise<FormState<AccessEffects>> {
  await requireUser();
  return submitForm(form, {
    schema: sent,
    run: async ({ change }) => {
      await requirePermission({ team: change.team }, keyOfChange(change));
      const effects = await previewAccessChange(change);
      return { message: summary(effects.length), data: effects };
    },
  });
}

function summary(people: number) {
  if (people === 0) return "Nobody's access changes.";
  return `This changes the access of ${people === 1 ? "1 person" : `${people} people`}.`;
}
