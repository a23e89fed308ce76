"use server";

import { refresh } from "next/cache";
import { correctLine, moveLine, removeLine, restoreLine } from "@/app/[team]/campaign/[campaign]/signatures/actions";
import type { FormSubmit } from "@/lib/forms/form-state";

// The response includes the page with the changed line.
const thenRefresh =
  <Result>(change: FormSubmit<Result>): FormSubmit<Result> =>
  async (state, form) => {
    const answer = await change(state, form);
    if (answer.error === null) refresh();
    return answer;
  };

export const correctInRegister = correctLine; // the page goes to the new line
export const moveInRegister = thenRefresh(moveLine);
export const removeFromRegister = thenRefresh(removeLine);
export const restoreToRegister = thenRefresh(restoreLine);
