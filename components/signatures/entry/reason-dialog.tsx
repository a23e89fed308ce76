import { useId } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

/** Asks for the short reason of an invalid line. */
export function ReasonDialog({
  before = null,
  onReason,
  onClose,
}: {
  /** The reason of the line that is corrected. */
  before?: string | null;
  onReason: (reason: string) => void;
  onClose: () => void;
}) {
  const id = useId();
  return (
    <Dialog title="Why is this line invalid?" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const reason = new FormData(event.currentTarget).get("reason");
          if (typeof reason !== "string" || reason.trim() === "") return;
          onClose(); // before the focus goes to the next line
          onReason(reason.trim());
        }}
      >
        <DialogBody>
          <Field id={id} label="Reason">
            <Input
              id={id}
              name="reason"
              required
              maxLength={200}
              autoComplete="off"
              defaultValue={before ?? ""}
              data-first
            />
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Enter line</Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
