import { unreachable } from "@/lib/http/call-api";

/** A problem with one field, in the shape of a zod issue; without a path, with the whole form. */
type FormIssue = { code: string; path: (string | number)[]; message: string };

/**
 * What a server action returns (contract 2.7). `message` says what was done, `error` what went wrong. `data` is the
 * result; after an error, the typed values that may be shown again. `asks` marks an error that is a question.
 */
export type FormState<Result = undefined> =
  | { message: string | null; error: null; data?: Result }
  | { message: null; error: string; asks?: true; data?: Record<string, string>; zodIssues?: FormIssue[] };

/** A server action as a form calls it. */
export type FormSubmit<Result = undefined> = (state: FormState<Result>, form: FormData) => Promise<FormState<Result>>;

/** The state of a form before it is sent. */
export const initialFormState: FormState<never> = { message: null, error: null };

/** The state after an action that threw: a lost connection becomes its error. Throws anything else again, such as a redirect. */
export function lostConnection(thrown: unknown): { message: null; error: string } {
  if (!(thrown instanceof TypeError)) throw thrown; // what `fetch` throws without a connection
  return { message: null, error: unreachable };
}

/** An action that first asks what `question` returns, unless that is null: sending the same again confirms it. */
export function askingFirst<Result>(
  action: FormSubmit<Result>,
  question: (form: FormData) => Promise<string | null>,
): FormSubmit<Result> {
  return async (before, form) => {
    const error = await question(form);
    return error === null || before.error === error ? action(before, form) : { message: null, error, asks: true };
  };
}

/** The error of a form in which one field is wrong. That field says more. */
export const oneFieldWrong = "Fix the field above.";

/** The state of a form with wrong fields, by their names: each message follows its field's label. */
export const fieldsWrong = (messages: Record<string, string>): FormState<never> => ({
  message: null,
  error: oneFieldWrong,
  zodIssues: Object.entries(messages).map(([name, message]) => ({ code: "custom", path: [name], message })),
});

/** The problem of one field, or undefined. */
export function fieldIssue(state: FormState<unknown>, field: string): string | undefined {
  return state.error === null ? undefined : state.zodIssues?.find(({ path }) => path[0] === field)?.message;
}

/** What went wrong, as code decides by it: the `reason` of the AppError. */
export function errorReason(state: FormState<unknown>): string | undefined {
  return state.error === null ? undefined : state.zodIssues?.find(({ path }) => path.length === 0)?.code;
}

/** The state without the problems of some fields. */
export function clearIssues<Result>(state: FormState<Result>, fields: string[]): FormState<Result> {
  if (fields.length === 0 || state.error === null || !state.zodIssues) return state;
  return { ...state, zodIssues: state.zodIssues.filter(({ path }) => !fields.includes(String(path[0]))) };
}

/** What was typed into a field before the error, or an empty string. */
export function typedValue(state: FormState<unknown>, field: string): string {
  return state.error === null ? "" : (state.data?.[field] ?? "");
}

/** Fields as a form that is sent without its elements; undefined ones are left out. */
export function toFormData(fields: Record<string, string | undefined>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value);
  return form;
}
