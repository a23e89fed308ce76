"use client";

import { emailAtSignIn } from "@/components/auth/login-form";
import { ActionForm } from "@/components/forms/action-form";
import { EmailField, NewPasswordField } from "@/components/forms/input-field";
import { ButtonLink } from "@/components/ui/link";
import { errorReason, type FormSubmit } from "@/lib/forms/form-state";

/** Sends a link that resets the password; `next` is where to go after that. It starts with the email typed at sign-in. */
export function ForgottenForm({ send, next }: { send: FormSubmit; next: string }) {
  return (
    <ActionForm action={send} hidden={{ next }} submit={["Send link", "Sending…"]} clear="never">
      {(state) => <EmailField state={state} defaultValue={emailAtSignIn()} />}
    </ActionForm>
  );
}

const focusOn = (link: HTMLAnchorElement | null) => link?.focus();

/**
 * The button that uses up the link of an email, with a field where a password is chosen with it. Once it is used, now or
 * before, a link to go on takes its place. It is a `peer` of what explains the link.
 */
export function ConfirmForm({
  confirm,
  asksPassword,
  link,
  submit,
  instead: [insteadHref, insteadLabel],
}: {
  confirm: FormSubmit;
  asksPassword: boolean;
  link: { token_hash: string; type: string; next: string };
  submit: string;
  /** Where to go once the link no longer works, and what that is called. */
  instead: [href: string, label: string];
}) {
  return (
    <ActionForm
      action={confirm}
      hidden={link}
      submit={[submit, "One moment…"]}
      className="peer [&:has(>a)>button]:hidden"
    >
      {(state) =>
        errorReason(state) === "link-over" ? (
          <ButtonLink ref={focusOn} href={insteadHref} className="order-1">
            {insteadLabel}
          </ButtonLink>
        ) : state.message === null ? (
          asksPassword && (
            <NewPasswordField state={state} label={link.type === "signup" ? "Password" : "New password"} />
          )
        ) : (
          <ButtonLink ref={focusOn} href={link.next} className="order-1">
            Continue
          </ButtonLink>
        )
      }
    </ActionForm>
  );
}
