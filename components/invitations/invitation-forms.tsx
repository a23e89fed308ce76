"use client";

import { type ComponentProps, useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { FormDialog } from "@/components/forms/form-dialog";
import { InputField, NewPasswordField, PasswordField } from "@/components/forms/input-field";
import { Button } from "@/components/ui/button";
import { type FormState, type FormSubmit, typedValue } from "@/lib/forms/form-state";

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
function JoinForm({
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
      className={name === null ? "w-auto" : "max-w-sm *:w-full"}
    >
      {(state) =>
        name !== null && (
          <>
            <NameField state={state} email={email} name={name} />
            <PasswordField
              state={state}
              name="password"
              label="Password (optional)"
              hint="At least 10 characters. Leave empty if you already have one, or to set it by email later."
              autoComplete="new-password"
              required={false}
            />
          </>
        )
      }
    </ActionForm>
  );
}

type AnswerProps = ComponentProps<typeof JoinForm> & { decline: FormSubmit };

/** Accepts an invitation, or declines it, once confirmed. */
export function InvitationAnswer({ decline, ...join }: AnswerProps) {
  const { token, team } = join;
  const [isDeclining, setDeclining] = useState(false);
  return (
    <div className={join.name === null ? "flex w-full flex-wrap gap-2" : "flex w-full flex-col items-start gap-4"}>
      <JoinForm {...join} />
      <Button variant="outline" onClick={() => setDeclining(true)}>
        Decline
      </Button>
      {isDeclining && (
        <FormDialog
          title={`Decline the invitation to ${team}?`}
          submit="Decline invitation"
          variant="danger"
          action={decline}
          hidden={{ token }}
          onDone={() => undefined}
          onClose={() => setDeclining(false)}
        >
          {() => <p>{team} can invite you again later.</p>}
        </FormDialog>
      )}
    </div>
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
