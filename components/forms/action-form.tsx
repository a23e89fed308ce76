"use client";

import { type FormEvent, type ReactNode, startTransition, useActionState, useEffect, useRef, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import {
  clearIssues,
  type FormState,
  type FormSubmit,
  fieldIssue,
  initialFormState,
  lostConnection,
  oneFieldWrong,
} from "@/lib/forms/form-state";
import { cn } from "@/lib/utils";

/**
 * A form that shows the result of its action. After an error it keeps what was typed, and focus moves to the first field to
 * fix, whose error is gone once it is edited. `clear` says when it is emptied.
 */
export function ActionForm<Result>({
  action,
  hidden = {},
  submit: [label, pendingLabel],
  variant = "default",
  className,
  problem = null,
  clear = "done",
  ready = true,
  interceptSubmit,
  onChange,
  onDone,
  frame,
  children,
}: {
  action: FormSubmit<Result>;
  hidden?: Record<string, string>;
  /** What the button says, and what it says while the action runs. */
  submit: [label: ReactNode, pendingLabel: string];
  variant?: "default" | "outline" | "danger";
  className?: string;
  /** Shown as an error until the action has returned. */
  problem?: string | null;
  clear?: "done" | "always" | "never";
  /** False while there is nothing to send. */
  ready?: boolean;
  /** Returns true if the form isn't to be sent now. */
  interceptSubmit?: (event: FormEvent<HTMLFormElement>) => boolean;
  onChange?: () => void;
  /** Gets the result, whose message the form then doesn't show, and what was sent. */
  onDone?: (done: { message: string | null; data?: Result }, sent: FormData) => void;
  /** Lays out the parts, if not one below the other. */
  frame?: (parts: { fields: ReactNode; submit: ReactNode; error: ReactNode; pending: boolean }) => ReactNode;
  children?: (state: FormState<Result>) => ReactNode;
}) {
  const sendAndReport: FormSubmit<Result> = async (before, sent) => {
    const after = await action(before, sent).catch(lostConnection);
    // Runs in the same transition as the new page, in which this form may be gone.
    if (after.error === null) startTransition(() => onDone?.(after, sent));
    return after;
  };
  // Rendered on the server, its own function also works without JavaScript.
  const [sentState, send, pending] = useActionState<FormState<Result>, FormData>(
    typeof window === "undefined" && !onDone ? action : sendAndReport,
    initialFormState,
  );
  const state = useSessionEnded(sentState);
  const form = useRef<HTMLFormElement>(null);
  const [edited, setEdited] = useState<string[]>([]); // since it was sent
  const editedNames = edited.filter((name) => fieldIssue(state, name) !== undefined);

  useEffect(() => {
    if (state === initialFormState) return;
    if (clear === "always" || (clear === "done" && state.error === null)) form.current?.reset();
    if (state.error === null) return;
    const selector = clear === "always" ? "[aria-invalid=true], [data-first]" : "[aria-invalid=true]";
    form.current?.querySelector<HTMLElement>(selector)?.focus();
  }, [state, clear]);

  const isAtField =
    state.error === oneFieldWrong &&
    state.zodIssues?.every(({ path: [name] }) => name !== undefined && !(name in hidden));
  const parts = {
    fields: (
      <>
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children?.(clearIssues(state, editedNames))}
      </>
    ),
    submit: (
      <Button type="submit" variant={ready ? variant : "outline"} aria-disabled={pending || !ready}>
        {pending ? pendingLabel : label}
      </Button>
    ),
    // It only points to the fields, or repeats what is wrong with one.
    error: (
      <FormError
        error={editedNames.length > 0 || isAtField ? null : (state.error ?? (state.message === null ? problem : null))}
        asks={state.error !== null && state.asks === true}
        pending={pending}
      />
    ),
    pending,
  };
  return (
    <form
      ref={form}
      action={send}
      noValidate
      onChange={({ target }) => {
        const name = "name" in target ? String(target.name) : "";
        setEdited((names) => (names.includes(name) ? names : [...names, name]));
        onChange?.();
      }}
      // React empties the fields of an `action`, so this comes before it.
      onSubmit={(event) => {
        event.preventDefault();
        // A half typed date would be sent as none.
        const halfTyped = [...event.currentTarget.querySelectorAll("input")].find(({ validity }) => validity.badInput);
        if (halfTyped) return void halfTyped.reportValidity();
        if (!ready || interceptSubmit?.(event)) return;
        const typed = new FormData(event.currentTarget);
        if (pending) return;
        startTransition(() => {
          setEdited([]); // takes effect with the new state
          send(typed);
        });
      }}
      className={cn("flex w-full flex-col gap-4", variant !== "default" && "items-start [&>div]:w-full", className)}
    >
      {frame?.(parts) ?? (
        <>
          {parts.fields}
          {parts.submit}
          {!onDone && (
            <p role="status" className="wrap-anywhere empty:hidden">
              {pending ? null : state.message}
            </p>
          )}
          {parts.error}
        </>
      )}
    </form>
  );
}
