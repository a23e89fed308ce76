"use client";

import { useActionState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { describedBy, Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { PasswordInput } from "@/components/ui/password-input";
import { type FormSubmit, issueOf, typedValue, unsent } from "@/lib/forms/form-state";

/** Creates an account for the address that an invitation is for. The address is the invitation's and cannot be changed. */
export function SignUpForm({ token, email, signUp }: { token: string; email: string; signUp: FormSubmit }) {
  const [state, send, pending] = useActionState(signUp, unsent);
  const issues = { name: issueOf(state, "name"), password: issueOf(state, "password") };
  return (
    <form
      action={send}
      onSubmit={(event) => pending && event.preventDefault()}
      className="flex w-full max-w-sm flex-col items-start gap-4 *:w-full"
    >
      <input type="hidden" name="token" value={token} />
      {/* For password managers: the account goes by this address. */}
      <input hidden readOnly name="email" autoComplete="username" value={email} />
      <Field id="name" label="Your name" issue={issues.name}>
        <Input
          id="name"
          name="name"
          autoComplete="name"
          required
          maxLength={120}
          defaultValue={typedValue(state, "name")}
          {...describedBy("name", { issue: issues.name })}
        />
      </Field>
      <Field id="password" label="Password" hint="At least 10 characters." issue={issues.password}>
        <PasswordInput
          id="password"
          name="password"
          autoComplete="new-password"
          required
          {...describedBy("password", { issue: issues.password, hint: true })}
        />
      </Field>
      <Button type="submit" variant="outline" aria-disabled={pending}>
        {pending ? "Creating the account…" : "Create an account"}
      </Button>
      <p role="status" className="wrap-anywhere empty:hidden">
        {pending ? null : state.message}
      </p>
      <div role="alert" className="empty:hidden">
        {state.error !== null && !pending && <Alert>{state.error}</Alert>}
      </div>
    </form>
  );
}
