"use client";

import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Sends the current code of the person's authenticator app. */
export function CodeForm<Result>({
  send,
  hidden = {},
  submit,
  onSent,
}: {
  send: FormSubmit<Result>;
  hidden?: Record<string, string>;
  submit: [label: string, pendingLabel: string];
  /** Called with the action's result, unless it redirects. */
  onSent?: (result: Result) => void;
}) {
  return (
    <ActionForm<Result>
      action={send}
      hidden={hidden}
      submit={submit}
      clear="always"
      {...(onSent && { onDone: ({ data }) => data && onSent(data) })}
    >
      {(state) => (
        <InputField
          state={state}
          name="code"
          label="Code"
          hint="Six digits. The app shows a new code every 30 seconds."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          required
          autoFocus
          data-first
        />
      )}
    </ActionForm>
  );
}
