"use client";

import { type FormEvent, type ReactNode, startTransition, useActionState, useEffect, useRef } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import { type FormState, type FormSubmit, unsent } from "@/lib/forms/form-state";

/** A form that says what came of it. It is empty again when that is done, and else keeps what was typed, passwords too. */
export function SavedForm({
  action,
  submit,
  variant = "outline",
  holdBack,
  children,
}: {
  action: FormSubmit;
  /** What the button says, and what it says meanwhile. */
  submit: [string, string];
  variant?: "default" | "outline";
  /** True when the form isn't to be sent now. */
  holdBack?: (event: FormEvent<HTMLFormElement>) => boolean;
  /** The fields, as they are after what the action answered. */
  children: (state: FormState) => ReactNode;
}) {
  const [state, send, pending] = useActionState(action, unsent);
  const form = useRef<HTMLFormElement>(null);
  useSessionEnded(state);
  useEffect(() => {
    if (state.message !== null) form.current?.reset();
    if (state.error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);
  return (
    <form
      ref={form}
      action={send}
      // Before `action`, which empties the fields.
      onSubmit={(event) => {
        event.preventDefault();
        if (holdBack?.(event)) return;
        const typed = new FormData(event.currentTarget);
        if (!pending) startTransition(() => send(typed));
      }}
      className="flex flex-col items-start gap-4 [&>div]:w-full"
    >
      {children(state)}
      <Button type="submit" variant={variant} aria-disabled={pending}>
        {submit[pending ? 1 : 0]}
      </Button>
      <p role="status" className="wrap-anywhere empty:hidden">
        {pending ? null : state.message}
      </p>
      <FormError error={state.error} pending={pending} />
    </form>
  );
}
