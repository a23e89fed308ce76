"use client";

import { useSyncExternalStore } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import { buttonVariants } from "@/components/ui/button";
import { browserTimeZone } from "@/lib/format/days";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Creates a team in the browser's time zone, which its settings can change. */
export function NewTeam({ create }: { create: FormSubmit }) {
  const timeZone = useSyncExternalStore(
    () => () => undefined,
    browserTimeZone,
    () => "UTC",
  );
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
              hint="You'll administer it, and can invite others next."
            />
          )}
        </ActionForm>
      </div>
    </details>
  );
}
