import { FormDialog } from "@/components/forms/form-dialog";
import { InputField } from "@/components/forms/input-field";
import { useFormat } from "@/components/shell/format-provider";
import { moveQuestion } from "@/components/signatures/entry/move-question";
import { changeTitle } from "@/components/signatures/entry/outbox-list";
import { ReasonDialog } from "@/components/signatures/entry/reason-dialog";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { CloseSheet } from "@/components/signatures/sheets/close-sheet";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { lazyLoad } from "@/components/ui/lazy-load";
import { askingFirst } from "@/lib/forms/form-state";
import { beyondSheet } from "@/lib/signatures/entry/offer";
import { closedText } from "@/lib/signatures/entry/sheet-question";

const SheetDialog = lazyLoad(async () => (await import("@/components/signatures/sheets/sheet-dialog")).SheetDialog, {
  whenIdle: true,
});

/** The dialog that is open on the entry screen, if any. */
export function EntryDialogs({ entry }: { entry: Entry }) {
  const { form, context, dispatch, place, sheets, outbox, actions, dialog, setDialog, lastName, lineNumber } = entry;
  const { sheet: number } = form;
  const format = useFormat();
  if (dialog === null) return null;
  const end = () => setDialog((now) => (now === dialog ? null : now));
  const endAtFields = () => {
    end();
    lastName.current?.focus();
  };
  if (typeof dialog === "object" && "discard" in dialog) {
    const { change } = dialog.discard;
    const discard = () => {
      outbox.discard(dialog.discard);
      dispatch({ type: "message", text: `Discarded: ${changeTitle(dialog.discard)}.` });
      endAtFields();
    };
    return (
      <Question
        title={
          "line" in change
            ? `Discard your entry for line ${change.line} of sheet ${change.sheet}?`
            : "Discard this change?"
        }
        text={`“${changeTitle(dialog.discard)}” is saved only on this device and will be lost.`}
        no="Cancel"
        yes={"line" in change ? "Discard entry" : "Discard change"}
        onYes={discard}
        onClose={endAtFields}
      />
    );
  }
  if (typeof dialog === "object" && "reopen" in dialog) {
    const { reopen: sheet, line } = dialog;
    const reopen = async () => {
      end();
      const problem = await sheets.start(sheet.number, undefined, { asked: { reopens: true }, line });
      if (typeof problem === "string") dispatch({ type: "message", text: problem, wrong: true });
    };
    return (
      <Question
        title={`Reopen sheet ${sheet.number}?`}
        text={closedText(sheet, entry.lines.state.linesPerSheet, format)}
        no="Cancel"
        yes={`Reopen sheet ${sheet.number}`}
        onYes={reopen}
        onClose={endAtFields}
      />
    );
  }
  if (number === null) return null;
  switch (dialog) {
    case "ask-line": {
      const { line } = form;
      const confirm = () => {
        end();
        if (line !== null) dispatch({ type: "confirm-line", line });
      };
      return (
        <Question
          title={`Use line ${line}?`}
          text={beyondSheet(form, context) ?? ""}
          no="Change line"
          yes={`Use line ${line}`}
          onYes={confirm}
          onClose={() => {
            endAtFields(); // on a phone the line number can be folded away
            lineNumber.current?.focus();
          }}
        />
      );
    }
    case "ask-reason":
      return (
        <ReasonDialog
          before={context.replaced?.verdict === "other" ? context.replaced.note : null}
          onReason={(note) => dispatch({ type: "reason", note })}
          onClose={endAtFields}
        />
      );
    case "report":
      return <CloseSheet entry={entry} number={number} onClose={endAtFields} />;
    case "show-sheet":
      return <SheetDialog entry={entry} number={number} onClose={endAtFields} />;
    default:
      return (
        <FormDialog
          title={`Move line ${dialog.move.line} of sheet ${number}?`}
          action={askingFirst(actions.moveLine, (sent) => moveQuestion(place, sent, format))}
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
                maxLength={7}
                required
                defaultValue={number}
              />
              <InputField
                state={state}
                name="line"
                label="Line"
                inputMode="numeric"
                maxLength={7}
                required
                data-first
              />
            </div>
          )}
        </FormDialog>
      );
  }
}

type QuestionProps = Record<"title" | "text" | "no" | "yes", string> & Record<"onYes" | "onClose", () => void>;

/** Asks before something unusual; Enter changes nothing. */
function Question({ title, text, no, yes, onYes, onClose }: QuestionProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogBody>
        <p>{text}</p>
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" data-first onClick={onClose}>
          {no}
        </Button>
        <Button onClick={onYes}>{yes}</Button>
      </DialogFooter>
    </Dialog>
  );
}
