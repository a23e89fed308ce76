import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";

/** Asks what to do with unsaved changes. */
export function LeaveQuestion({
  onStay,
  onDiscard,
  onKeep,
  children,
}: {
  onStay: () => void;
  onDiscard: () => void;
  /** If the changes can be kept as a draft. */
  onKeep?: () => void;
  children: ReactNode;
}) {
  const after = (leave: () => void) => () => {
    onStay();
    leave();
  };
  return (
    <Dialog title="Leave without saving?" onClose={onStay} className="w-104">
      <DialogBody>
        <p>{children}</p>
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" data-first onClick={onStay}>
          Stay
        </Button>
        <Button variant="danger" onClick={after(onDiscard)}>
          Discard and leave
        </Button>
        {onKeep && <Button onClick={after(onKeep)}>Keep and leave</Button>}
      </DialogFooter>
    </Dialog>
  );
}
