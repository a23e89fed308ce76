"use client";

import { useActionState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";

/** Accepts an invitation as the signed-in user. */
export function AcceptForm({ token, teamName, accept }: { token: string; teamName: string; accept: FormSubmit }) {
  const [state, send, pending] = useActionState(accept, unsent);
  useSessionEnded(state);
  return (
    <form
      action={send}
      onSubmit={(event) => pending && event.preventDefault()}
      className="flex flex-col items-start gap-3"
    >
      <input type="hidden" name="token" value={token} />
      <Button type="submit" aria-disabled={pending}>
        {pending ? "Joining…" : `Join ${teamName}`}
      </Button>
      <p role="status" className="empty:hidden">
        {pending ? null : state.message}
      </p>
      <FormError error={state.error} pending={pending} />
    </form>
  );
}
