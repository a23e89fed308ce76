import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";

/** Asks before settings are saved that remove what the forecast requires, or end the campaign. */
export function ConsequenceDialog({
  name,
  removed,
  endedOn,
  onConfirm,
  onClose,
}: {
  name: string;
  /** Empty if nothing is. */
  removed: string;
  /** The new last day, if it has passed. */
  endedOn: string | null;
  onConfirm: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={removed ? `Remove ${removed}?` : `End ${name}?`} onClose={onClose}>
      <DialogBody>
        {removed && <p>The overview will no longer show whether it&apos;s on track.</p>}
        {endedOn && (
          <p>
            This ends {name}: its last day, {endedOn}, has passed. Sheets can still be entered, but the forecast no
            longer expects new ones.
          </p>
        )}
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" onClick={onClose} data-first>
          Keep editing
        </Button>
        <Button variant="danger" onClick={onConfirm}>
          {removed ? `Save without ${removed}` : "End campaign"}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
