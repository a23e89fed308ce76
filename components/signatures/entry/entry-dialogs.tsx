import { useId } from "react";
import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { CloseSheet } from "@/components/signatures/sheets/close-sheet";
import type { SheetActions } from "@/components/signatures/sheets/sheet-dialog";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { later } from "@/components/ui/later";
import type { FormSubmit } from "@/lib/forms/form-state";
import { closingReport } from "@/lib/signatures/entry/shown-lines";
import { placeText } from "@/lib/signatures/line-text";

const SheetDialog = later(async () => (await import("@/components/signatures/sheets/sheet-dialog")).SheetDialog, {
  whenIdle: true,
});

/** What can be done with stored lines; it needs the connection. */
export type LineActions = { moveLine: FormSubmit; removeLine: FormSubmit };

/** The dialog that is open on the entry screen, if any. */
export function EntryDialogs({
  entry,
  circulators,
  actions,
}: {
  entry: Entry;
  circulators: readonly string[];
  actions: SheetActions & LineActions;
}) {
  const { form, context, dispatch, place, sheets, dialog, setDialog, lastName } = entry;
  const { sheet: number } = form;
  if (dialog === null || number === null) return null;
  const end = () => setDialog((now) => (now === dialog ? null : now));
  const endAtFields = () => {
    end();
    lastName.current?.focus();
  };
  switch (dialog) {
    case "ask-reason":
      return <ReasonDialog onReason={(note) => dispatch({ type: "reason", note })} onClose={endAtFields} />;
    case "report":
      return (
        <CloseSheet
          number={number}
          report={closingReport(context.lines, context.lineCount)}
          signatureCount={sheets.current?.signatureCount ?? null}
          onGo={(line) => dispatch({ type: "go", line })}
          onCloseSheet={() => sheets.close(number)}
          onDone={end}
        />
      );
    case "show-sheet":
      return (
        <SheetDialog
          number={number}
          sheet={sheets.current}
          isEmpty={context.lines.size === 0}
          others={sheets.open.filter((other) => other.number !== number)}
          place={place}
          circulators={circulators}
          actions={actions}
          onStart={sheets.start}
          onChanged={sheets.changed}
          onReport={() => setDialog("report")}
          onDone={end}
        />
      );
    default:
      return (
        <FormDialog
          title={`Move ${placeText({ sheet: number, line: dialog.move.line })}?`}
          action={actions.moveLine}
          submit="Move line"
          hidden={{ ...place, id: dialog.move.id }}
          onDone={(text) => sheets.changed(number, text)}
          onClose={endAtFields}
        >
          {(state) => (
            <div className="grid grid-cols-2 gap-3">
              <InputField
                state={state}
                name="sheet"
                label="To sheet"
                inputMode="numeric"
                maxLength={6}
                required
                defaultValue={number}
              />
              <InputField
                state={state}
                name="line"
                label="Line"
                inputMode="numeric"
                maxLength={6}
                required
                data-first
              />
            </div>
          )}
        </FormDialog>
      );
  }
}

/** Asks for the short reason of an invalid line. */
function ReasonDialog({ onReason, onClose }: { onReason: (reason: string) => void; onClose: () => void }) {
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
            <Input id={id} name="reason" required maxLength={200} autoComplete="off" data-first />
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
