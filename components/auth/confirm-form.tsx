"use client";

import { SavedForm } from "@/components/auth/saved-form";
import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { type FormSubmit, issueOf } from "@/lib/forms/form-state";

/** The button that uses up the link of an e-mail; where a password is chosen with it, with the field for that. */
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
    <SavedForm action={confirm} submit={[submit, "One moment…"]} variant="default">
      {(state) => (
        <>
          {Object.entries(link).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {asksPassword && (
            <NewPasswordField
              label={link.type === "signup" ? "Password" : "New password"}
              issue={issueOf(state, "password")}
            />
          )}
        </>
      )}
    </SavedForm>
  );
}

/** Where a new password is written. */
export function NewPasswordField({ label, issue }: { label: string; issue: string | undefined }) {
  return (
    <Field id="password" label={label} hint="At least 10 characters." issue={issue}>
      <PasswordInput
        id="password"
        name="password"
        autoComplete="new-password"
        required
        {...describedBy("password", { issue, hint: true })}
      />
    </Field>
  );
}
