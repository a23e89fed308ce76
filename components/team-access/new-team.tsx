"use client";

import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import { useBrowserTimeZone } from "@/components/shell/format-provider";
import { buttonVariants } from "@/components/ui/button";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Creates a team in the browser's time zone, which its settings can change. */
export function NewTeam({ create }: { create: FormSubmit }) {
  const timeZone = useBrowserTimeZone();
  return (
    <details className="max-w-sm">
      <summary
        className={buttonVariants({ variant: "outline", className: "list-none [&::-webkit-details-marker]:hidden" })}
      >
        New team
      </summary>
      <div className="pt-4">
        <ActionForm action={create} hidden={{ timeZone }} submit={["Create team", "Creating…"]}>
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
      </div>
    </details>
  );
}
