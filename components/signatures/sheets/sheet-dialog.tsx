"use client";

import type { ReactNode } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { SheetDetailsFields, StartSheet } from "@/components/signatures/sheets/start-sheet";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody } from "@/components/ui/dialog";
import { askingFirst } from "@/lib/forms/form-state";
import { readWholeNumber } from "@/lib/forms/read-number";
import { readSheet } from "@/lib/signatures/entry/sheet-question";
import type { Line } from "@/lib/signatures/line";
import { personText } from "@/lib/signatures/line-text";
import { verdictWords } from "@/lib/signatures/verdicts";

/** The current sheet: what is written on it, closing and renumbering it, and opening another one. */
export function SheetDialog({
  entry: { place, context, dispatch, sheets, circulators, actions, setDialog },
  number,
  onClose,
}: {
  entry: Entry;
  number: number;
  onClose: () => void;
}) {
  const sheet = sheets.current;
  const save = askingFirst(actions.saveSheetDetails, (sent) => sheets.askBeforeSaving(number, readSheet(sent), "Save"));
  const renumber = askingFirst(actions.renumberSheet, (sent) =>
    sheets.askBeforeSaving(sentNumber(sent), undefined, "Renumber sheet"),
  );
  const sheetPlace = { ...place, number: String(number) };
  const start: typeof sheets.start = async (...sheet) => {
    const problem = await sheets.start(...sheet);
    if (problem === null) onClose();
    return problem;
  };
  return (
    <Dialog title={`Sheet ${number}`} onClose={onClose}>
      {/* What was saved before must not appear behind an error. */}
      <DialogBody onSubmitCapture={() => dispatch({ type: "message", text: "" })}>
        <ActionForm
          key={sheet ? "read" : "unread"}
          {...form}
          variant="default"
          className="items-start [&>div]:w-full"
          action={save}
          hidden={sheetPlace}
          submit={["Save", "Saving…"]}
          onDone={({ message }) => {
            onClose();
            sheets.changed(number, message ?? "");
          }}
        >
          {(state) => <SheetDetailsFields state={state} details={sheet} circulators={circulators} dates={context} />}
        </ActionForm>
        <div className="flex flex-wrap gap-2 border-t pt-4">
          <Button
            variant="outline"
            data-first
            onClick={() => {
              onClose();
              setDialog("report");
            }}
          >
            Close sheet…
          </Button>
          {sheet && context.lines.size === 0 && (
            <ActionForm
              {...form}
              action={actions.deleteSheet}
              hidden={sheetPlace}
              submit={["Delete empty sheet", "Deleting…"]}
              variant="danger"
              className="w-auto"
              onDone={({ message }) => {
                onClose();
                sheets.changed(null, message ?? "");
              }}
            />
          )}
        </div>
        <Part title="Wrong sheet number?">
          <ActionForm
            {...form}
            action={renumber}
            hidden={{ ...place, from: String(number) }}
            submit={["Renumber sheet", "Renumbering…"]}
            onDone={({ message, data }, sent) => {
              if (data?.outcome !== "renumbered") return;
              onClose();
              sheets.changed(sentNumber(sent), message ?? "");
            }}
          >
            {(state) => (
              <>
                <InputField
                  state={state}
                  name="to"
                  label="Correct number (all lines move with it)"
                  inputMode="numeric"
                  pattern="[1-9][0-9,]{0,6}"
                  maxLength={7}
                  required
                  className="max-w-32"
                />
                {state.error === null && state.data?.outcome === "conflicts" && (
                  <div role="alert" className="text-destructive text-sm">
                    <p>Couldn't renumber. Both sheets have these lines:</p>
                    <ul className="list-disc py-1 pl-5">
                      {state.data.conflicts.map(({ line, here, there }) => (
                        <li key={line}>
                          Line {line}: {entryText(here)} on sheet {here.sheet}; {entryText(there)} on sheet{" "}
                          {there.sheet}
                        </li>
                      ))}
                    </ul>
                    <p>Move or remove one of each, then try again.</p>
                  </div>
                )}
              </>
            )}
          </ActionForm>
        </Part>
        <Part title="Open another sheet">
          <StartSheet
            circulators={circulators}
            dates={context}
            sheets={sheets.open.filter((other) => other.number !== number)}
            previous={sheet}
            onNext={sheets.next}
            onStart={start}
          />
        </Part>
      </DialogBody>
    </Dialog>
  );
}

const sentNumber = (sent: FormData) => readWholeNumber(String(sent.get("to")));

// Fields stay as they are when one of the forms is done.
const form = { variant: "outline", clear: "never" } as const;

// `you marked it illegible`, `Ada Moreno entered Dorothy Kenaan`
function entryText({ firstName, lastName, verdict, enteredBy, mine }: Line) {
  const name = [firstName, lastName].filter(Boolean).join(" ");
  return `${personText(enteredBy, mine)} ${name ? `entered ${name}` : `marked it ${verdictWords[verdict]}`}`;
}

// A rare task, behind its title.
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group border-t pt-3">
      <summary className="cursor-pointer font-medium">{title}</summary>
      <div className="flex flex-col gap-3 pt-3">{children}</div>
    </details>
  );
}
