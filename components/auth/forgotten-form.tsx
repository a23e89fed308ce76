"use client";

import { SavedForm } from "@/components/auth/saved-form";
import { InputField } from "@/components/forms/input-field";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Asks for a link to choose a new password; `next` is where to go after that. */
export function ForgottenForm({ send, next }: { send: FormSubmit; next: string }) {
  return (
    <SavedForm action={send} submit={["Send a link", "Sending…"]} variant="default">
      {(state) => (
        <>
          <input type="hidden" name="next" value={next} />
          <InputField state={state} name="email" label="E-mail address" type="email" autoComplete="username" required />
        </>
      )}
    </SavedForm>
  );
}
