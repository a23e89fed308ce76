import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";

/** Asks what becomes of changes that are not saved. */
export function LeaveDialog({
  onStay,
  onDiscard,
  onKeep,
}: {
  onStay: () => void;
  onDiscard: () => void;
  onKeep: () => void;
}) {
  return (
    <Dialog title="Leave without saving?" onClose={onStay}>
      {(close) => {
        const after = (leave: () => void) => () => {
          close();
          leave();
        };
        return (
          <>
            <DialogBody>
              <p>This chart has changes that are not saved. Kept, they wait in this tab until you come back.</p>
            </DialogBody>
            <DialogFooter>
              <Button variant="outline" data-first onClick={close}>
                Stay
              </Button>
              <Button variant="danger" onClick={after(onDiscard)}>
                Discard and leave
              </Button>
              <Button onClick={after(onKeep)}>Keep and leave</Button>
            </DialogFooter>
          </>
        );
      }}
    </Dialog>
  );
}
