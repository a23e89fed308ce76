"use client";

import Link from "next/link";
import { useActionState, useEffect, useEffectEvent, useId, useRef } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { PasswordInput } from "@/components/ui/password-input";
import { type FormState, type FormSubmit, issueOf, typedValue, unsent } from "@/lib/forms/form-state";

/** Signs in. `next` is where to go then; `problem` is what brought the person here, until the form has an own answer. */
export function LoginForm<Result>({
  signIn,
  next,
  problem,
  presentEmail = "",
  onSignedIn,
}: {
  signIn: FormSubmit<Result>;
  next: string;
  problem: string | null;
  /** Who was signed in here. */
  presentEmail?: string;
  /** Hears what the action gave, where it does not lead away. */
  onSignedIn?: (result: Result) => void;
}) {
  const [state, action, pending] = useActionState<FormState<Result>, FormData>(signIn, unsent);
  const id = useId();
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

  const tell = useEffectEvent((result: Result) => onSignedIn?.(result));
  useEffect(() => {
    if (state.error === null && state.data !== undefined) tell(state.data);
  }, [state]);

  return (
    <form action={action} className="flex flex-col gap-4" onSubmit={(event) => pending && event.preventDefault()}>
      <input type="hidden" name="next" value={next} />
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-email`}>E-mail address</Label>
        <Input
          ref={email}
          id={`${id}-email`}
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={typedValue(state, "email") || presentEmail}
          aria-invalid={issues.email !== undefined}
          aria-describedby={issues.email && `${id}-email-issue`}
        />
        {issues.email && <FieldIssue id={`${id}-email-issue`}>{issues.email}</FieldIssue>}
      </div>
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-password`}>Password</Label>
        <PasswordInput
          ref={password}
          id={`${id}-password`}
          name="password"
          autoComplete="current-password"
          required
          aria-invalid={issues.password !== undefined}
          aria-describedby={issues.password && `${id}-password-issue`}
        />
        {issues.password && <FieldIssue id={`${id}-password-issue`}>{issues.password}</FieldIssue>}
      </div>
      <Button type="submit" aria-disabled={pending}>
        {pending ? "Signing in…" : "Sign in"}
      </Button>
      {!onSignedIn && (
        <Link
          href={`/login/forgotten?next=${encodeURIComponent(next)}`}
          prefetch={false}
          className="self-start text-primary underline underline-offset-2"
        >
          Forgot your password?
        </Link>
      )}
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
