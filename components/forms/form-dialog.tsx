"use client";

import { type ReactNode, startTransition, useActionState, useEffect, useEffectEvent, useRef } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { type FormState, type FormSubmit, unsent } from "@/lib/forms/form-state";

/** A form in a dialog. It closes when the action has done it, and `onDone` gets what was done; else it keeps what was typed. */
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
  /** What the button says. */
  submit: string;
  hidden: Record<string, string>;
  onDone: (message: string) => void;
  onClose: () => void;
  /** The fields, as they are after what the action answered. */
  children: (state: FormState) => ReactNode;
}) {
  const submitAndTell: FormSubmit = async (before, typed) => {
    const after = await action(before, typed);
    const done = after.message;
    // Together with the page that comes of it, and not in an effect: what opened the dialog can be gone by then.
    if (done !== null) startTransition(() => onDone(done));
    return after;
  };
  const [state, send, pending] = useActionState(submitAndTell, unsent);
  useSessionEnded(state);
  const form = useRef<HTMLFormElement>(null);

  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (state.message !== null) close();
  }, [state]);
  // To the first field that needs a change.
  useEffect(() => {
    if (state.error !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);

  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <form
          ref={form}
          // Not `action`: that empties the fields, and sets lists back to their first choice, whatever was chosen.
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
