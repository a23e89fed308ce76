"use client";

import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import { useBrowserTimeZone } from "@/components/shell/format-provider";
import { useRequestedDialog } from "@/components/shell/navigation/use-requested-dialog";
import { Button } from "@/components/ui/button";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Creates a team in the browser's time zone, which its settings can change. */
export function NewTeam({ create }: { create: FormSubmit }) {
  const timeZone = useBrowserTimeZone();
  const { isOpen, open, close } = useRequestedDialog("new");
  return (
    <>
      <Button variant="outline" className="self-start" onClick={open}>
        New team
      </Button>
      {isOpen && (
        <FormDialog
          title="New team"
          submit="Create team"
          action={create}
          hidden={{ timeZone }}
          onDone={() => undefined} // the new team's settings open
          onClose={close}
        >
          {(state) => (
            <InputField
              state={state}
              name="name"
              label="Team name"
              data-first
              required
              maxLength={120}
              hint="You'll be its administrator and can invite others."
            />
          )}
        </FormDialog>
      )}
    </>
  );
}
