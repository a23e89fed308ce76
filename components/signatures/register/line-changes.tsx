"use client";

import { startTransition, useActionState, useEffect, useRef } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import { describedBy, Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type FormState, type FormSubmit, issueOf, unsent } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";

/** Removes a line for a reason, or brings a removed one back. What was just removed says so, and can be undone at once. */
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
  // One state for both: what is said is of the last one.
  const [state, send, pending] = useActionState<FormState, FormData>(
    (before, form) => (form.has("because") ? remove : restore)(before, form),
    unsent,
  );
  useSessionEnded(state);
  const said = useRef<HTMLParagraphElement>(null);
  const done = state.message !== null && !pending;
  // What had the focus is gone.
  useEffect(() => {
    if (done) said.current?.focus();
  }, [done]);
  const issue = issueOf(state, "because");

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
        <p ref={said} role="status" tabIndex={-1} className="outline-none empty:hidden">
          {done && (removed ? "Removed." : "Restored.")}
        </p>
        {removed && (
          <Button type="submit" variant="outline" aria-disabled={pending}>
            {pending ? "Restoring…" : done ? "Undo" : "Restore"}
          </Button>
        )}
      </div>
      {!removed && (
        <>
          <Field id="because" label="Reason for removing it" issue={issue}>
            <Input
              id="because"
              name="because"
              required
              maxLength={500}
              autoComplete="off"
              {...describedBy("because", { issue })}
            />
          </Field>
          <Button type="submit" variant="danger" aria-disabled={pending} className="self-start">
            {pending ? "Removing…" : "Remove"}
          </Button>
        </>
      )}
      <FormError error={state.error} pending={pending} />
    </form>
  );
}
