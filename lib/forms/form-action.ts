import "server-only";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import { isSignedOut } from "@/lib/auth/redirect-to-login";
import { requireLiveUser } from "@/lib/auth/require-user";
import { AppError } from "@/lib/errors";
import { type FormState, oneFieldWrong } from "@/lib/forms/form-state";
import { sessionEnded } from "@/lib/forms/session-ended";
import { enforceRateLimit, type RateKind } from "@/lib/http/enforce-rate-limit";
import { logFailure } from "@/lib/log-event";

export type FormAction<Schema extends z.ZodObject, Access, Result> = {
  /** "everyone", or a function that returns the user's access for `run`, and redirects or throws for anyone else. */
  guard: "everyone" | ((input: z.output<Schema>) => Promise<Access>);
  /** Counted for the user before anything is read for them. */
  rate?: RateKind;
  schema: Schema;
  /** Fields that are sent back after an error. Never name a secret here. */
  keepOnError?: (keyof z.output<Schema> & string)[];
  /** The field that an error's `field` is part of. If `field` is a field of the form, its message continues the label. */
  partsOf?: keyof z.output<Schema> & string;
  run: (input: z.output<Schema>, access: Access) => Promise<{ message: string; data?: Result }>;
};

/**
 * A server action for `useActionState` (contract 2.7). It runs after checking the session with Auth, the limit, the fields and
 * the guard. Every failure becomes a form state: wrong fields by name, an AppError with its message. An unknown error gets a
 * general message and is logged once. Redirects pass through.
 */
export function formAction<Schema extends z.ZodObject, Access = undefined, Result = undefined>(
  action: FormAction<Schema, Access, Result>,
) {
  const { guard, rate, schema, keepOnError = [], partsOf, run } = action;
  return async (_state: FormState<Result>, form: FormData): Promise<FormState<Result>> => {
    const sent = form instanceof FormData ? form : new FormData(); // clients can send anything
    const failed = (error: string, zodIssues?: FormIssues) => ({
      message: null,
      error,
      data: keptFields(sent, keepOnError),
      ...(zodIssues && { zodIssues }),
    });
    try {
      const user = guard === "everyone" ? null : await requireLiveUser();
      if (user && rate) await enforceRateLimit(rate, user.userId);
      const parsed = schema.safeParse(Object.fromEntries(sent));
      if (!parsed.success) {
        const { issues } = parsed.error;
        const wrong = new Set(issues.map(({ path }) => path.join("."))).size; // a field shows its first issue
        const error = wrong === 1 ? oneFieldWrong : `Fix the ${wrong} fields above.`;
        return failed(
          error,
          issues.map(({ code, path, message }) => ({ code, path: path.map(stepOf), message })),
        );
      }
      const access = guard === "everyone" ? noAccess : await guard(parsed.data);
      return { error: null, ...(await run(parsed.data, access)) };
    } catch (thrown) {
      if (isSignedOut(thrown)) return failed(sessionEnded);
      unstable_rethrow(thrown);
      const error = toAppError(thrown);
      if (error.status >= 500) logFailure(error.message, error.cause);
      const { field, message, reason } = error;
      if (field !== undefined && Object.hasOwn(schema.shape, field))
        return failed(oneFieldWrong, [{ code: "custom", path: [field], message }]);
      const path = field !== undefined && partsOf !== undefined ? [partsOf, ...field.split(".")] : null;
      if (path) return failed(message, [{ code: "custom", path, message }]);
      return failed(message, reason === undefined ? undefined : [{ code: reason, path: [], message }]);
    }
  };
}

type FormIssues = Extract<FormState, { message: null; zodIssues?: unknown }>["zodIssues"];

const noAccess = undefined as never; // the access of "everyone"

const stepOf = (step: PropertyKey) => (typeof step === "number" ? step : String(step));

function toAppError(thrown: unknown) {
  if (thrown instanceof AppError) return thrown;
  const message = "Something went wrong on our side, so nothing was saved. Try again in a moment.";
  return new AppError("internal", message, { cause: thrown });
}

function keptFields(form: FormData, names: string[]) {
  return Object.fromEntries(
    names.flatMap((field) => {
      const value = form.get(field);
      return typeof value === "string" ? [[field, value]] : [];
    }),
  );
}
