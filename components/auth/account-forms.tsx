"use client";

import { useActionState } from "react";
import { NewPasswordField } from "@/components/auth/confirm-form";
import { SavedForm } from "@/components/auth/saved-form";
import { FormError } from "@/components/forms/form-error";
import { InputField } from "@/components/forms/input-field";
import { useUnsentQuestion } from "@/components/shell/use-unsent-question";
import { describedBy, Field } from "@/components/ui/field";
import { PasswordInput } from "@/components/ui/password-input";
import { type FormSubmit, issueOf, unsent } from "@/lib/forms/form-state";

/** Changes one's name. */
export function NameForm({ name, save }: { name: string; save: FormSubmit }) {
  return (
    <SavedForm action={save} submit={["Save the name", "Saving…"]}>
      {(state) => (
        <InputField
          state={state}
          name="name"
          label="Name"
          autoComplete="name"
          required
          maxLength={120}
          defaultValue={name}
        />
      )}
    </SavedForm>
  );
}

/** Changes one's e-mail address. */
export function EmailForm({ save }: { save: FormSubmit }) {
  return (
    <SavedForm action={save} submit={["Send a link to it", "Sending…"]}>
      {(state) => (
        <>
          <InputField
            state={state}
            name="email"
            label="New e-mail address"
            type="email"
            autoComplete="email"
            required
            maxLength={254}
          />
          <CurrentPassword id="email-current" issue={issueOf(state, "current")} />
        </>
      )}
    </SavedForm>
  );
}

/** Changes one's password. `email` is for password managers. */
export function PasswordForm({ email, save }: { email: string; save: FormSubmit }) {
  return (
    <SavedForm action={save} submit={["Change the password", "Changing…"]}>
      {(state) => (
        <>
          <input hidden readOnly name="username" autoComplete="username" value={email} />
          <CurrentPassword id="password-current" issue={issueOf(state, "current")} />
          <NewPasswordField label="New password" issue={issueOf(state, "password")} />
        </>
      )}
    </SavedForm>
  );
}

/** Where the person shows that it is she who changes her account. */
export function CurrentPassword({ id, issue }: { id: string; issue: string | undefined }) {
  return (
    <Field id={id} label="Current password" issue={issue}>
      <PasswordInput id={id} name="current" autoComplete="current-password" required {...describedBy(id, { issue })} />
    </Field>
  );
}

const themes = { system: "System", light: "Light", dark: "Dark" };

/** Chooses how screens look; it holds at once. */
export function ThemeForm({ theme, save }: { theme: keyof typeof themes; save: FormSubmit }) {
  const [state, send] = useActionState(save, unsent);
  return (
    <form
      action={send}
      onChange={(event) => {
        document.documentElement.dataset.theme = String(new FormData(event.currentTarget).get("theme")); // at once
        event.currentTarget.requestSubmit();
      }}
    >
      <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
        <legend className="sr-only">Theme</legend>
        {Object.entries(themes).map(([value, label]) => (
          <label key={value} className="flex min-h-8 cursor-pointer items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="radio"
              name="theme"
              value={value}
              defaultChecked={value === theme}
              className="size-4 accent-primary"
            />
            {label}
          </label>
        ))}
      </fieldset>
      <FormError error={state.error} />
    </form>
  );
}

/** Ends sessions, and asks first while lines are unsent on this device. */
export function SignOutForm({ userId, signOut, submit }: { userId: string; signOut: FormSubmit; submit: string }) {
  const { holdBack, question } = useUnsentQuestion(userId);
  return (
    <>
      <SavedForm action={signOut} submit={[submit, "Signing out…"]} holdBack={holdBack}>
        {() => null}
      </SavedForm>
      {question}
    </>
  );
}
