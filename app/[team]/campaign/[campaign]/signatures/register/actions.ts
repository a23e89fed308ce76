"use server";

import { refresh } from "next/cache";
import { submitRemoval, submitRestore } from "@/app/[team]/campaign/[campaign]/signatures/actions";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";

/** `submitRemoval`, with whose answer the page shows what became of the line. */
export const removeFromRegister = thenShown(submitRemoval);

/** `submitRestore`, with whose answer the page shows what became of the line. */
export const restoreToRegister = thenShown(submitRestore);

function thenShown<Result>(submit: FormSubmit<Result>): FormSubmit {
  return async (_state, form) => {
    const answer = await submit(unsent, form);
    if (answer.error !== null) return answer;
    refresh();
    return { message: answer.message, error: null };
  };
}
