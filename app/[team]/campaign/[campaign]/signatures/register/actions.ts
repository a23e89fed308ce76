"use server";

import { refresh } from "next/cache";
import { correctLine, moveLine, removeLine, restoreLine } from "@/app/[team]/campaign/[campaign]/signatures/actions";
import type { FormSubmit } from "@/lib/forms/form-state";

// Refreshes the page, so the response shows the changed line.
const withRefresh =
  <Result>(change: FormSubmit<Result>): FormSubmit<Result> =>
  async (state, form) => {
    const result = await change(state, form);
    if (result.error === null) refresh();
    return result;
  };

export const correctInRegister = correctLine; // no refresh: it redirects to the new line
export const moveInRegister = withRefresh(moveLine);
export const removeFromRegister = withRefresh(removeLine);
export const restoreToRegister = withRefresh(restoreLine);
