"use client";

import type { ReactNode } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import type { FormState, FormSubmit } from "@/lib/forms/form-state";

/** A form in a dialog, which closes once the action is done; `onDone` gets its message. */
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
  onDone: (message: string) => void;
  onClose: () => void;
  children: (state: FormState) => ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm
        {...form}
        submit={[submit, "Saving…"]}
        className="min-h-0 gap-0"
        onDone={({ message }) => {
          onDone(message ?? "Saved.");
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
    </Dialog>
  );
}
