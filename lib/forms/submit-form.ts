import "server-only";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import { AppError } from "@/lib/errors";
import type { FormState } from "@/lib/forms/form-state";

/**
 * Parses a sent form and runs an action on it. Wrong fields and AppErrors become the form state that shows them; an
 * unknown error is logged once and told in general words; redirects pass through. The fields in `keep` are given back
 * after an error: never name a secret there.
 */
export async function submitForm<Schema extends z.ZodObject, Result = undefined>(
  form: FormData,
  {
    schema,
    keep = [],
    run,
  }: {
    schema: Schema;
    keep?: (keyof z.output<Schema> & string)[];
    run: (input: z.output<Schema>) => Promise<{ message: string; data?: Result }>;
  },
): Promise<FormState<Result>> {
  const parsed = schema.safeParse(Object.fromEntries(form));
  if (!parsed.success) {
    const zodIssues = parsed.error.issues.map(({ code, path, message }) => ({
      code,
      path: path.map((part) => (typeof part === "number" ? part : String(part))),
      message,
    }));
    const error = zodIssues.length === 1 ? "One field needs a change." : `${zodIssues.length} fields need a change.`;
    return { message: null, error, data: typed(form, keep), zodIssues };
  }
  try {
    return { error: null, ...(await run(parsed.data)) };
  } catch (thrown) {
    unstable_rethrow(thrown);
    return { message: null, error: sentence(thrown), data: typed(form, keep) };
  }
}

function sentence(thrown: unknown) {
  if (!(thrown instanceof AppError)) {
    console.error("A form failed.", thrown);
    return "Something went wrong on our side, and nothing was saved. Try again in a moment.";
  }
  if (thrown.status >= 500) console.error(thrown.message, thrown.cause ?? "");
  return thrown.message;
}

function typed(form: FormData, keep: string[]) {
  return Object.fromEntries(
    keep.flatMap((field) => {
      const value = form.get(field);
      return typeof value === "string" ? [[field, value]] : [];
    }),
  );
}
