"use client";

import { useActionState, useState } from "react";
import { CodeForm } from "@/components/auth/code-form";
import { ActionForm } from "@/components/forms/action-form";
import { FormError } from "@/components/forms/form-error";
import { EmailField, InputField, NewPasswordField, PasswordField } from "@/components/forms/input-field";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { useUnsentQuestion } from "@/components/shell/navigation/use-unsent-question";
import { Checkbox } from "@/components/ui/checkbox";
import type { EmailChoices } from "@/lib/auth/emails";
import type { NewFactor } from "@/lib/auth/second-factor";
import { type FormState, type FormSubmit, initialFormState } from "@/lib/forms/form-state";

/** Changes the person's name. */
export function NameForm({ name, save }: { name: string; save: FormSubmit }) {
  return (
    <ActionForm action={save} submit={["Save", "Saving…"]} variant="outline">
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
    </ActionForm>
  );
}

/** Changes the person's email. */
export function EmailForm({ save }: { save: FormSubmit }) {
  return (
    <ActionForm action={save} submit={["Send confirmation link", "Sending…"]} variant="outline">
      {(state) => (
        <>
          <EmailField state={state} label="New email" autoComplete="email" maxLength={254} />
          <CurrentPassword state={state} />
        </>
      )}
    </ActionForm>
  );
}

/** Changes the person's password. `email` is for password managers. */
export function PasswordForm({ email, save }: { email: string; save: FormSubmit }) {
  return (
    <ActionForm action={save} submit={["Change password", "Changing…"]} variant="outline">
      {(state) => (
        <>
          <input hidden readOnly name="username" autoComplete="username" value={email} />
          <CurrentPassword state={state} />
          <NewPasswordField state={state} label="New password" />
        </>
      )}
    </ActionForm>
  );
}

function CurrentPassword({ state }: { state: FormState<unknown> }) {
  return <PasswordField state={state} name="current" label="Current password" autoComplete="current-password" />;
}

/** Sets up two-factor sign-in: a QR code to scan with an app, then the first code that the app shows. */
export function NewSecondFactorForm({ start, enable }: { start: FormSubmit<NewFactor>; enable: FormSubmit }) {
  const [factor, setFactor] = useState<NewFactor | null>(null);
  if (factor === null) {
    return (
      <ActionForm
        action={start}
        submit={["Continue", "One moment…"]}
        variant="outline"
        onDone={({ data }) => setFactor(data ?? null)}
      >
        {(state) => <CurrentPassword state={state} />}
      </ActionForm>
    );
  }
  const { factorId, picture, secret } = factor;
  return (
    <div className="flex flex-col gap-4">
      <p>Scan this with an authenticator app on your phone:</p>
      {/* biome-ignore lint/performance/noImgElement: a data URL, which nothing can make smaller */}
      <img src={picture} alt="QR code of the key below" width={176} height={176} className="rounded-md bg-white p-2" />
      <p>
        Or enter this key in the app:{" "}
        <code className="wrap-anywhere select-all font-mono">{secret.replace(/.{4}(?=.)/g, "$& ")}</code>
      </p>
      <CodeForm send={enable} hidden={{ factorId }} submit={["Turn on", "Turning on…"]} />
    </div>
  );
}

/** Turns two-factor sign-in off. */
export function RemoveSecondFactorForm({ remove }: { remove: FormSubmit }) {
  return (
    <ActionForm action={remove} submit={["Turn off", "Turning off…"]} variant="danger">
      {(state) => <CurrentPassword state={state} />}
    </ActionForm>
  );
}

const emailKinds = [
  ["requests", "Access requests, and answers to your requests and invitations"],
  ["digest", "A daily summary of your campaigns at about 7 AM, in each team's time zone"],
] as const;

/** Chooses which emails the person gets. */
export function EmailChoicesForm({ choices, save }: { choices: EmailChoices; save: FormSubmit }) {
  const [chosen, setChosen] = useState(choices);
  return (
    <ActionForm action={save} submit={["Save notifications", "Saving…"]} variant="outline" clear="never">
      {() => (
        <>
          {emailKinds.map(([kind, label]) => (
            <label key={kind} className="flex min-h-8 cursor-pointer items-center gap-2 pointer-coarse:min-h-11">
              <Checkbox
                name={kind}
                checked={chosen[kind]}
                onChange={(event) => setChosen({ ...chosen, [kind]: event.target.checked })}
              />
              {label}
            </label>
          ))}
          <LeaveGuard armed={emailKinds.some(([kind]) => chosen[kind] !== choices[kind])} />
        </>
      )}
    </ActionForm>
  );
}

const themes = { system: "System", light: "Light", dark: "Dark" };

/** Chooses the theme, which applies at once. */
export function ThemeForm({ theme, save }: { theme: keyof typeof themes; save: FormSubmit }) {
  const [state, send] = useActionState(save, initialFormState);
  return (
    <form
      action={send}
      onChange={(event) => {
        document.documentElement.dataset.theme = String(new FormData(event.currentTarget).get("theme"));
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

/** Ends sessions, and asks first while lines are unsent on this device. `next` is where it leads. */
export function SignOutForm({
  userId,
  signOut,
  submit,
  next,
}: {
  userId: string;
  signOut: FormSubmit;
  submit: string;
  next?: string;
}) {
  const { interceptSubmit, question } = useUnsentQuestion(userId);
  return (
    <>
      <ActionForm
        action={signOut}
        hidden={next === undefined ? {} : { next }}
        submit={[submit, "Signing out…"]}
        variant="danger"
        interceptSubmit={interceptSubmit}
      />
      {question}
    </>
  );
}
