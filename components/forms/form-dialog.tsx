"use client";

import { type ReactNode, startTransition, useActionState, useEffect, useEffectEvent, useRef } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { type FormState, type FormSubmit, unsent } from "@/lib/forms/form-state";

/** A form in a dialog. It closes once the action is done, and `onDone` gets its message; after an error it keeps what was typed. */
export function FormDialog({
  title,
  action,
  submit,
  hidden,
  onDone,
  onClose,
  children,
}: {
  title: string;
  action: FormSubmit;
  submit: string;
  hidden: Record<string, string>;
  onDone: (message: string) => void;
  onClose: () => void;
  children: (state: FormState) => ReactNode;
}) {
  const submitAndReport: FormSubmit = async (before, typed) => {
    const after = await action(before, typed);
    const done = after.message;
    // In the same transition as the new page, since what opened the dialog may be gone in an effect.
    if (done !== null) startTransition(() => onDone(done));
    return after;
  };
  const [state, send, pending] = useActionState(submitAndReport, unsent);
  useSessionEnded(state);
  const form = useRef<HTMLFormElement>(null);

  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (state.message !== null) close();
  }, [state]);
  useEffect(() => {
    if (state.error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);

  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <form
          ref={form}
          // Not `action`, which empties the fields.
          onSubmit={(event) => {
            event.preventDefault();
            const typed = new FormData(event.currentTarget);
            if (!pending) startTransition(() => send(typed));
          }}
          className="flex min-h-0 flex-col"
        >
          {Object.entries(hidden).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <DialogBody>
            {children(state)}
            <FormError error={state.error} pending={pending} />
          </DialogBody>
          <DialogFooter>
            <Button variant="outline" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" aria-disabled={pending}>
              {pending ? "Saving…" : submit}
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}
