"use client";

import { ActionForm } from "@/components/forms/action-form";
import { InputField, NewPasswordField, PasswordField } from "@/components/forms/input-field";
import { type FormState, type FormSubmit, typedValue } from "@/lib/forms/form-state";

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

/** Creates an account for the address of an invitation, which can't be changed. */
export function SignUpForm({ token, email, signUp }: { token: string; email: string; signUp: FormSubmit }) {
  return (
    <ActionForm
      action={signUp}
      hidden={{ token }}
      submit={["Create account", "Creating account…"]}
      variant="outline"
      className="max-w-sm *:w-full"
    >
      {(state) => (
        <>
          <NameField state={state} email={email} name="" />
          <NewPasswordField state={state} label="Password" />
        </>
      )}
    </ActionForm>
  );
}

/** Accepts an invitation. With a `name`, which may be "", it asks a new person for their name and offers a password. */
export function JoinForm({
  token,
  team,
  email,
  name,
  join,
}: {
  token: string;
  team: string;
  email: string;
  name: string | null;
  join: FormSubmit;
}) {
  return (
    <ActionForm
      action={join}
      hidden={{ token }}
      submit={[`Join ${team}`, "Joining…"]}
      className={name === null ? "items-start" : "max-w-sm *:w-full"}
    >
      {(state) =>
        name !== null && (
          <>
            <NameField state={state} email={email} name={name} />
            <PasswordField
              state={state}
              name="password"
              label="Password (optional)"
              hint="At least 10 characters. Leave it empty if you have one, or to choose one by email later."
              autoComplete="new-password"
              required={false}
            />
          </>
        )
      }
    </ActionForm>
  );
}

/** Declines an invitation, once confirmed. */
export function DeclineForm({ token, team, decline }: { token: string; team: string; decline: FormSubmit }) {
  return (
    <details className="text-muted-foreground">
      <summary className="w-fit cursor-pointer hover:text-foreground pointer-coarse:py-3">Don't want to join?</summary>
      <ActionForm
        action={decline}
        hidden={{ token }}
        submit={["Decline invitation", "Declining…"]}
        variant="danger"
        className="items-start pt-2"
      >
        {() => <p>{team} can invite you again later.</p>}
      </ActionForm>
    </details>
  );
}

function NameField({ state, email, name }: { state: FormState<unknown>; email: string; name: string }) {
  return (
    <>
      {/* For password managers. */}
      <input hidden readOnly name="email" autoComplete="username" value={email} />
      <InputField
        state={state}
        name="name"
        label="Your name"
        autoComplete="name"
        required
        maxLength={120}
        defaultValue={typedValue(state, "name") || name}
      />
    </>
  );
}
