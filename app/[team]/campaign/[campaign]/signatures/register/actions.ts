"use server";

import { refresh } from "next/cache";
import { removeLine, restoreLine } from "@/app/[team]/campaign/[campaign]/signatures/actions";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";

/** `removeLine`, with whose answer the page shows what became of the line. */
export const removeFromRegister = thenShown(removeLine);

/** `restoreLine`, with whose answer the page shows what became of the line. */
export const restoreToRegister = thenShown(restoreLine);

function thenShown<Result>(submit: FormSubmit<Result>): FormSubmit {
  return async (_state, form) => {
    const answer = await submit(unsent, form);
    if (answer.error !== null) return answer;
    refresh();
    return { message: answer.message, error: null };
  };
}
