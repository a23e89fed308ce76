"use client";

import { useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";

/** Removes a line with a reason, or restores a removed one; a removal can be undone at once. */
export function LineChanges({
  id,
  removed,
  place,
  remove,
  restore,
}: {
  id: string;
  removed: boolean;
  place: CampaignOfTeam;
  remove: FormSubmit;
  restore: FormSubmit;
}) {
  const [done, setDone] = useState<string | null>(null);
  const shared = { hidden: { ...place, id }, onDone: ({ message }: { message: string | null }) => setDone(message) };
  return (
    <div className="flex flex-col gap-3">
      {/* The button that had the focus is gone. */}
      {done && (
        <p key={done} ref={focus} role="status" tabIndex={-1} className="outline-none">
          {done}
        </p>
      )}
      {removed ? (
        <ActionForm
          key="restore"
          {...shared}
          action={restore}
          submit={[done ? "Undo" : "Restore line", "Restoring…"]}
          variant="outline"
        />
      ) : (
        <ActionForm key="remove" {...shared} action={remove} submit={["Remove line", "Removing…"]} variant="danger">
          {(state) => <InputField state={state} name="because" label="Reason" required maxLength={500} />}
        </ActionForm>
      )}
    </div>
  );
}

const focus = (element: HTMLElement | null) => element?.focus();
