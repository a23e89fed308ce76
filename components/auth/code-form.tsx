"use client";

import { useActionState, useEffect, useEffectEvent, useId, useRef } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import { describedBy, Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type FormState, type FormSubmit, issueOf, unsent } from "@/lib/forms/form-state";

/** Sends the code that the person's app shows now, with the `hidden` fields. */
export function CodeForm<Result>({
  send,
  hidden = {},
  submit,
  onSent,
}: {
  send: FormSubmit<Result>;
  hidden?: Record<string, string>;
  /** What the button says, and what it says meanwhile. */
  submit: [string, string];
  /** Hears what the action gave, where it does not lead away. */
  onSent?: (result: Result) => void;
}) {
  const [state, action, pending] = useActionState<FormState<Result>, FormData>(send, unsent);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const issue = issueOf(state, "code");
  useSessionEnded(state);

  const tell = useEffectEvent((result: Result) => onSent?.(result));
  useEffect(() => {
    if (state.error === null && state.data !== undefined) tell(state.data);
    else field.current?.focus();
  }, [state]);

  return (
    <form
      action={action}
      className="flex w-full flex-col gap-4"
      onSubmit={(event) => pending && event.preventDefault()}
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field id={id} label="Code" hint="Six digits; the app shows others every half a minute." issue={issue}>
        <Input
          ref={field}
          id={id}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          required
          {...describedBy(id, { issue, hint: true })}
        />
      </Field>
      <Button type="submit" aria-disabled={pending}>
        {submit[pending ? 1 : 0]}
      </Button>
      <FormError error={state.error} pending={pending} />
    </form>
  );
}
