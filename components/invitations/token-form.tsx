"use client";

import { useActionState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";

/** One button that does something with the invitation of a link. */
export function TokenForm({
  token,
  action,
  label,
  pendingLabel,
  variant,
}: {
  token: string;
  action: FormSubmit;
  label: string;
  pendingLabel: string;
  variant?: "outline";
}) {
  const [state, send, pending] = useActionState(action, unsent);
  useSessionEnded(state);
  return (
    <form
      action={send}
      onSubmit={(event) => pending && event.preventDefault()}
      className="flex flex-col items-start gap-3"
    >
      <input type="hidden" name="token" value={token} />
      <Button type="submit" variant={variant} aria-disabled={pending}>
        {pending ? pendingLabel : label}
      </Button>
      <p role="status" className="wrap-anywhere empty:hidden">
        {pending ? null : state.message}
      </p>
      <FormError error={state.error} pending={pending} />
    </form>
  );
}
