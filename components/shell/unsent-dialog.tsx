import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import type { UnsentLines } from "@/lib/signatures/outbox/store";

/** Asks whether to sign out while lines haven't been sent. */
export function UnsentDialog({
  lines: { saved, unsaved },
  onSignOut,
  onClose,
}: {
  lines: UnsentLines;
  onSignOut: () => void;
  onClose: () => void;
}) {
  const { count } = useFormat();
  return (
    <Dialog title="Sign out with unsent lines?" onClose={onClose}>
      {(close) => (
        <>
          <DialogBody>
            {saved > 0 && (
              <p>
                {count(saved, "line hasn't been sent. It stays", "lines haven't been sent. They stay")} in this browser
                until you sign in here again and open data entry.
              </p>
            )}
            {unsaved > 0 && (
              <p>{count(unsaved, "line", "lines")} couldn't be saved in this browser and will be lost.</p>
            )}
          </DialogBody>
          <DialogFooter>
            <Button variant="outline" onClick={close} data-first>
              Stay signed in
            </Button>
            <Button
              variant={unsaved > 0 ? "danger" : "default"}
              onClick={() => {
                close();
                onSignOut();
              }}
            >
              {unsaved > 0 ? `Sign out and lose ${count(unsaved, "line", "lines")}` : "Sign out"}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}
