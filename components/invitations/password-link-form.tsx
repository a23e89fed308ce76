"use client";

import { useActionState } from "react";
import { Button } from "@/components/ui/button";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";

/** Has a link e-mailed to the address of an invitation, by which she chooses a password and comes back. */
export function PasswordLinkForm({ token, send }: { token: string; send: FormSubmit }) {
  const [state, action, pending] = useActionState(send, unsent);
  return (
    <form
      action={action}
      onSubmit={(event) => pending && event.preventDefault()}
      className="flex flex-col items-start gap-3"
    >
      <input type="hidden" name="token" value={token} />
      <Button type="submit" variant="outline" aria-disabled={pending}>
        {pending ? "Sending…" : "Send me a link to choose one"}
      </Button>
      <p role="status" className="wrap-anywhere empty:hidden">
        {pending ? null : state.message}
      </p>
      <p role="alert" className="text-destructive empty:hidden">
        {pending ? null : state.error}
      </p>
    </form>
  );
}
