"use server";

import { refresh } from "next/cache";
import { removeLine, restoreLine } from "@/app/[team]/campaign/[campaign]/signatures/actions";
import type { FormSubmit } from "@/lib/forms/form-state";

// The response includes the page with the changed line.
const thenRefresh =
  (change: FormSubmit): FormSubmit =>
  async (state, form) => {
    const answer = await change(state, form);
    if (answer.error === null) refresh();
    return answer;
  };

export const removeFromRegister = thenRefresh(removeLine);
export const restoreToRegister = thenRefresh(restoreLine);
