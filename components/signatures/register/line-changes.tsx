"use client";

import { startTransition, useActionState, useEffect, useRef } from "react";
import { FormError } from "@/components/forms/form-error";
import { InputField } from "@/components/forms/input-field";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import { type FormState, type FormSubmit, unsent } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";

/** Removes a line with a reason, or restores a removed one; a removal can be undone at once. */
export function LineChanges({
  id,
  removed,
  place,
  remove,
  restore,
}: {
  id: string;
  removed: boolean;
  place: CampaignOfTeam;
  remove: FormSubmit;
  restore: FormSubmit;
}) {
  const [state, send, pending] = useActionState<FormState, FormData>(
    (before, form) => (form.has("because") ? remove : restore)(before, form),
    unsent,
  );
  useSessionEnded(state);
  const status = useRef<HTMLParagraphElement>(null);
  const done = state.message !== null && !pending;
  // The button that had the focus is gone.
  useEffect(() => {
    if (done) status.current?.focus();
  }, [done]);

  return (
    <form
      // Not `action`: that empties the field.
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        if (!pending) startTransition(() => send(typed));
      }}
      className="flex flex-col gap-3"
    >
      {Object.entries({ ...place, id }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="flex items-center gap-3">
        <p ref={status} role="status" tabIndex={-1} className="outline-none empty:hidden">
          {done && (removed ? "Line removed." : "Line restored.")}
        </p>
        {removed && (
          <Button type="submit" variant="outline" aria-disabled={pending}>
            {pending ? "Restoring…" : done ? "Undo" : "Restore line"}
          </Button>
        )}
      </div>
      {!removed && (
        <>
          <InputField state={state} name="because" label="Reason" required maxLength={500} />
          <Button type="submit" variant="danger" aria-disabled={pending} className="self-start">
            {pending ? "Removing…" : "Remove line"}
          </Button>
        </>
      )}
      <FormError error={state.error} pending={pending} />
    </form>
  );
}
