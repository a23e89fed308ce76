"use client";

import { ActionForm } from "@/components/forms/action-form";
import { FormDisclosure } from "@/components/forms/form-disclosure";
import { InputField } from "@/components/forms/input-field";
import { useBrowserTimeZone } from "@/components/shell/format-provider";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Creates a team in the browser's time zone, which its settings can change. */
export function NewTeam({ create }: { create: FormSubmit }) {
  const timeZone = useBrowserTimeZone();
  return (
    <FormDisclosure button="New team" subject="new team" className="max-w-sm">
      <ActionForm action={create} hidden={{ timeZone }} submit={["Create team", "Creating…"]} variant="outline">
        {(state) => (
          <InputField
            state={state}
            name="name"
            label="Team name"
            required
            maxLength={120}
            hint="You'll be its administrator and can invite others."
          />
        )}
      </ActionForm>
    </FormDisclosure>
  );
}
