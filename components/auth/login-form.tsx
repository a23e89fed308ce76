"use client";

import { ActionForm } from "@/components/forms/action-form";
import { EmailField, PasswordField } from "@/components/forms/input-field";
import { TextLink } from "@/components/ui/link";
import { type FormSubmit, typedValue } from "@/lib/forms/form-state";

// Kept in memory, because servers log URLs.
let typedEmail = "";
/** The email that was typed at sign-in before this page. */
export const emailAtSignIn = () => typedEmail;

/** Signs in. `next` is where to go then; `problem` is why the person has to. */
export function LoginForm<Result>({
  signIn,
  next,
  problem,
  currentEmail = "",
  onSignedIn,
}: {
  signIn: FormSubmit<Result>;
  next: string;
  problem: string | null;
  /** Who was signed in on this page. */
  currentEmail?: string;
  /** Called with the action's result, if the page stays open. */
  onSignedIn?: (result: Result) => void;
}) {
  return (
    <>
      <ActionForm<Result>
        action={signIn}
        hidden={{ next }}
        submit={["Sign in", "Signing in…"]}
        problem={problem}
        clear="always"
        {...(onSignedIn && { onDone: ({ data }) => data && onSignedIn(data) })}
      >
        {(state) => (
          <>
            <EmailField
              state={state}
              autoFocus={!onSignedIn}
              defaultValue={typedValue(state, "email") || currentEmail}
              onChange={({ target }) => {
                typedEmail = target.value;
              }}
            />
            <PasswordField state={state} name="password" label="Password" autoComplete="current-password" data-first />
          </>
        )}
      </ActionForm>
      {!onSignedIn && (
        <TextLink href={`/login/forgotten?next=${encodeURIComponent(next)}`} className="self-start">
          Forgot your password?
        </TextLink>
      )}
    </>
  );
}
