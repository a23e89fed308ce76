import "server-only";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import { AppError, type ErrorCode } from "@/lib/errors";
import type { FormState } from "@/lib/forms/form-state";
import { submitForm } from "@/lib/forms/submit-form";

/** What a line's form state says to a program after an error: never to be sent again, or to be sent later. */
type LineFailure = "refused" | "later";

const final: ReadonlySet<ErrorCode> = new Set(["invalid", "forbidden", "not-found", "conflict"]);

/**
 * Runs a form of the entry screen as `submitForm` does. After an error `data.outcome` says whether the same form can
 * succeed later: `refused` or `later`.
 */
export async function submitLine<Schema extends z.ZodObject, Result>(
  form: FormData,
  { schema, run }: { schema: Schema; run: (input: z.output<Schema>) => Promise<{ message: string; data: Result }> },
): Promise<FormState<Result>> {
  let outcome: LineFailure = "refused"; // what does not parse never will
  const state = await submitForm(form, {
    schema,
    run: async (input) => {
      try {
        return await run(input);
      } catch (thrown) {
        unstable_rethrow(thrown);
        outcome = thrown instanceof AppError && final.has(thrown.code) ? "refused" : "later";
        throw thrown;
      }
    },
  });
  return state.error === null ? state : { ...state, data: { ...state.data, outcome } };
}
