"use client";

import { ActionForm } from "@/components/forms/action-form";
import { InputField, NewPasswordField } from "@/components/forms/input-field";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Sends a link that resets the password; `next` is where to go after that. */
export function ForgottenForm({ send, next }: { send: FormSubmit; next: string }) {
  return (
    <ActionForm action={send} hidden={{ next }} submit={["Send link", "Sending…"]}>
      {(state) => <InputField state={state} name="email" label="Email" type="email" autoComplete="username" required />}
    </ActionForm>
  );
}

/** The button that uses up the link of an email, with a field where a password is chosen with it. */
export function ConfirmForm({
  confirm,
  asksPassword,
  link,
  submit,
}: {
  confirm: FormSubmit;
  asksPassword: boolean;
  link: { token_hash: string; type: string; next: string };
  submit: string;
}) {
  return (
    <ActionForm action={confirm} hidden={link} submit={[submit, "One moment…"]}>
      {(state) =>
        asksPassword && <NewPasswordField state={state} label={link.type === "signup" ? "Password" : "New password"} />
      }
    </ActionForm>
  );
}
