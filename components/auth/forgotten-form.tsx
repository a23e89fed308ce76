"use client";

import { SavedForm } from "@/components/auth/saved-form";
import { describedBy, Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type FormSubmit, issueOf } from "@/lib/forms/form-state";

/** Asks for a link to choose a new password; `next` is where to go after that. */
export function ForgottenForm({ send, next }: { send: FormSubmit; next: string }) {
  return (
    <SavedForm action={send} submit={["Send a link", "Sending…"]} variant="default">
      {(state) => (
        <>
          <input type="hidden" name="next" value={next} />
          <Field id="email" label="E-mail address" issue={issueOf(state, "email")}>
            <Input
              id="email"
              name="email"
              type="email"
              autoComplete="username"
              required
              {...describedBy("email", { issue: issueOf(state, "email") })}
            />
          </Field>
        </>
      )}
    </SavedForm>
  );
}
