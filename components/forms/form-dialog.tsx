"use client";

import { type ReactNode, useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { LeaveDialog, useLeaveGuard } from "@/components/forms/leave-guard";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import type { FormState, FormSubmit } from "@/lib/forms/form-state";

/**
 * A form in a dialog, which closes once the action is done; `onDone` gets its message and what was sent. After a change Esc
 * asks first.
 */
export function FormDialog({
  title,
  submit,
  onDone,
  onClose,
  ...form
}: {
  title: string;
  action: FormSubmit;
  hidden: Record<string, string>;
  submit: string;
  variant?: "danger";
  onDone: (message: string, sent: FormData) => void;
  onClose: () => void;
  children: (state: FormState) => ReactNode;
}) {
  const [isChanged, setChanged] = useState(false);
  const { leaving, stay, requestLeave } = useLeaveGuard(isChanged);
  return (
    <Dialog title={title} onClose={() => (isChanged ? requestLeave(onClose) : onClose())}>
      <ActionForm
        {...form}
        submit={[submit, "Saving…"]}
        className="min-h-0 gap-0"
        onChange={() => setChanged(true)}
        onDone={({ message }, sent) => {
          onDone(message ?? "Saved.", sent);
          onClose();
        }}
        frame={({ fields, submit, error }) => (
          <>
            <DialogBody>
              {fields}
              {error}
            </DialogBody>
            <DialogFooter>
              <Button variant="outline" onClick={onClose}>
                Cancel
              </Button>
              {submit}
            </DialogFooter>
          </>
        )}
      />
      {leaving && (
        <LeaveDialog onStay={stay} onDiscard={leaving}>
          Your changes in this dialog aren&apos;t saved.
        </LeaveDialog>
      )}
    </Dialog>
  );
}
