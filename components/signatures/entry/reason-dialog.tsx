"use client";

import { useEffect, useId, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { restoreCaret } from "@/components/ui/restore-caret";

/** Asks for the short reason of a line that does not count. Enter records it, Esc goes back. */
export function ReasonDialog({ onReason, onClose }: { onReason: (reason: string) => void; onClose: () => void }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      closedby="any"
      onClose={() => {
        onClose();
        restoreCaret();
      }}
      className="m-auto w-105 max-w-[calc(100vw-2rem)] rounded-md border bg-popover p-4 shadow-popover backdrop:bg-[oklch(0_0_0/0.4)]"
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const reason = new FormData(event.currentTarget).get("reason");
          if (typeof reason !== "string" || reason.trim() === "") return;
          dialog.current?.close(); // before the focus goes to the next line
          onReason(reason.trim());
        }}
      >
        <h2 id={id} className="font-semibold text-lg">
          Why does the line not count?
        </h2>
        <div className="flex flex-col gap-1">
          <Label htmlFor={`${id}-reason`}>Reason</Label>
          <Input id={`${id}-reason`} name="reason" required maxLength={200} autoComplete="off" autoFocus />
        </div>
        <div className="flex justify-end gap-2">
          <Button variant="outline" onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
          <Button type="submit">Record the line</Button>
        </div>
      </form>
    </dialog>
  );
}
