import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { describedBy, Field } from "@/components/ui/field";
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
  const [issue, setIssue] = useState<string>();
  return (
    <Dialog title="Why is this line invalid?" onClose={onClose}>
      <form
        noValidate
        onChange={() => setIssue(undefined)}
        onSubmit={(event) => {
          event.preventDefault();
          const reason = String(new FormData(event.currentTarget).get("reason")).trim();
          if (reason === "") {
            setIssue("can't be empty. Say why in a few words");
            event.currentTarget.querySelector("input")?.focus();
            return;
          }
          onClose(); // before the focus goes to the next line
          onReason(reason);
        }}
      >
        <DialogBody>
          <Field id={id} label="Reason" issue={issue}>
            <Input
              id={id}
              name="reason"
              required
              maxLength={200}
              autoComplete="off"
              defaultValue={before ?? ""}
              data-first
              {...describedBy(id, { issue })}
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
