"use client";

import { useActionState } from "react";
import { CurrentPassword } from "@/components/auth/account-forms";
import { CodeForm } from "@/components/auth/code-form";
import { SavedForm } from "@/components/auth/saved-form";
import { FormError } from "@/components/forms/form-error";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { Button } from "@/components/ui/button";
import { type FormState, type FormSubmit, issueOf, unsent } from "@/lib/forms/form-state";

type NewFactor = { factorId: string; picture: string; secret: string };

/** Sets a second factor up: a picture to scan with an app on the phone, then the first code that the app shows. */
export function NewSecondFactorForm({ begin, confirm }: { begin: FormSubmit<NewFactor>; confirm: FormSubmit }) {
  const [state, send, pending] = useActionState<FormState<NewFactor>, FormData>(begin, unsent);
  useSessionEnded(state);
  if (state.error === null && state.data !== undefined) {
    const { factorId, picture, secret } = state.data;
    return (
      <div className="flex flex-col gap-4">
        <p>Scan this with an authenticator app on your phone:</p>
        {/* biome-ignore lint/performance/noImgElement: a data URL, which nothing can make smaller */}
        <img
          src={picture}
          alt="QR code of the key below"
          width={176}
          height={176}
          className="rounded-md bg-white p-2"
        />
        <p>
          Or write its key into the app:{" "}
          <code className="wrap-anywhere select-all font-mono">{secret.replace(/.{4}(?=.)/g, "$& ")}</code>
        </p>
        <CodeForm send={confirm} hidden={{ factorId }} submit={["Turn it on", "Turning on…"]} />
      </div>
    );
  }
  return (
    <form
      action={send}
      className="flex flex-col items-start gap-4 [&>div]:w-full"
      onSubmit={(event) => pending && event.preventDefault()}
    >
      <CurrentPassword id="factor-current" issue={issueOf(state, "current")} />
      <Button type="submit" variant="outline" aria-disabled={pending}>
        {pending ? "One moment…" : "Set it up"}
      </Button>
      <FormError error={state.error} pending={pending} />
    </form>
  );
}

/** Takes one's second factor off. */
export function RemoveSecondFactorForm({ remove }: { remove: FormSubmit }) {
  return (
    <SavedForm action={remove} submit={["Turn it off", "Turning off…"]}>
      {(state) => <CurrentPassword id="factor-current" issue={issueOf(state, "current")} />}
    </SavedForm>
  );
}
