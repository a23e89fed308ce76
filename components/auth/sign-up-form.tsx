"use client";

import { useActionState } from "react";
import { NewPasswordField } from "@/components/auth/confirm-form";
import { FormError } from "@/components/forms/form-error";
import { InputField } from "@/components/forms/input-field";
import { Button } from "@/components/ui/button";
import { type FormSubmit, issueOf, typedValue, unsent } from "@/lib/forms/form-state";

/** Creates an account for the address that an invitation is for. The address is the invitation's and cannot be changed. */
export function SignUpForm({ token, email, signUp }: { token: string; email: string; signUp: FormSubmit }) {
  const [state, send, pending] = useActionState(signUp, unsent);
  return (
    <form
      action={send}
      onSubmit={(event) => pending && event.preventDefault()}
      className="flex w-full max-w-sm flex-col items-start gap-4 *:w-full"
    >
      <input type="hidden" name="token" value={token} />
      {/* For password managers: the account goes by this address. */}
      <input hidden readOnly name="email" autoComplete="username" value={email} />
      <InputField
        state={state}
        name="name"
        label="Your name"
        autoComplete="name"
        required
        maxLength={120}
        defaultValue={typedValue(state, "name")}
      />
      <NewPasswordField label="Password" issue={issueOf(state, "password")} />
      <Button type="submit" variant="outline" aria-disabled={pending}>
        {pending ? "Creating the account…" : "Create an account"}
      </Button>
      <p role="status" className="wrap-anywhere empty:hidden">
        {pending ? null : state.message}
      </p>
      <FormError error={state.error} pending={pending} />
    </form>
  );
}
