"use client";

import { useActionState, useEffect, useRef } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { type FormSubmit, issueOf, typedValue, unsent } from "@/lib/forms/form-state";

/** Signs in. `next` is where to go then; `problem` is what brought the person here, until the form has an own answer. */
export function LoginForm({ signIn, next, problem }: { signIn: FormSubmit; next: string; problem: string | null }) {
  const [state, action, pending] = useActionState(signIn, unsent);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const error = state.error ?? problem;
  const issues = { email: issueOf(state, "email"), password: issueOf(state, "password") };

  // Back to where the change is needed; the e-mail address is kept, the password is not.
  useEffect(() => {
    if (state.error === null) return;
    const field = issueOf(state, "email") ? email : password;
    field.current?.focus();
  }, [state]);

  return (
    <form action={action} className="flex flex-col gap-4" onSubmit={(event) => pending && event.preventDefault()}>
      <input type="hidden" name="next" value={next} />
      <div className="flex flex-col gap-1.5">
        <Label htmlFor="email">E-mail address</Label>
        <Input
          ref={email}
          id="email"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={typedValue(state, "email")}
          aria-invalid={issues.email !== undefined}
          aria-describedby={issues.email && "email-issue"}
        />
        {issues.email && <FieldIssue id="email-issue">{issues.email}</FieldIssue>}
      </div>
      <div className="flex flex-col gap-1.5">
        <Label htmlFor="password">Password</Label>
        <Input
          ref={password}
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          aria-invalid={issues.password !== undefined}
          aria-describedby={issues.password && "password-issue"}
        />
        {issues.password && <FieldIssue id="password-issue">{issues.password}</FieldIssue>}
      </div>
      <Button type="submit" aria-disabled={pending}>
        {pending ? "Signing in…" : "Sign in"}
      </Button>
      <div role="alert">{error && !pending && <Alert>{error}</Alert>}</div>
    </form>
  );
}

function FieldIssue({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className="text-destructive text-sm">
      {children}
    </p>
  );
}
