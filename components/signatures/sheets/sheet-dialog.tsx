"use client";

import type { ReactNode } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import { PaperFields, StartSheet } from "@/components/signatures/sheets/start-sheet";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody } from "@/components/ui/dialog";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { SheetAtHand } from "@/lib/signatures/answers";
import type { Paper } from "@/lib/signatures/changes";
import type { RenumberOutcome, Sheet } from "@/lib/signatures/line";
import { nameText } from "@/lib/signatures/line-text";
import { verdictWords } from "@/lib/signatures/verdicts";

/** What can be done with a sheet besides entering its lines; each needs the connection. */
export type SheetActions = {
  savePaper: FormSubmit<Sheet>;
  renumberSheet: FormSubmit<RenumberOutcome>;
  deleteSheet: FormSubmit;
};

/** The current sheet: what is written on it, closing and renumbering it, and opening another one. */
export function SheetDialog({
  number,
  sheet,
  isEmpty,
  others,
  place,
  circulators,
  actions,
  onStart,
  onChanged,
  onReport,
  onDone,
}: {
  number: number;
  /** Null until it is loaded. */
  sheet: SheetAtHand | null;
  /** Whether it has no lines, here or on the server. */
  isEmpty: boolean;
  /** The other open sheets. */
  others: readonly Sheet[];
  place: CampaignOfTeam;
  circulators: readonly string[];
  actions: SheetActions;
  onStart: (number: number | null, paper?: Paper) => Promise<string | null>;
  /** Gets the sheet's new number, null when it is deleted, and a message. */
  onChanged: (number: number | null, said: string) => void;
  onReport: () => void;
  onDone: () => void;
}) {
  const at = { ...place, number: String(number) };
  const start = async (asked: number | null, paper?: Paper) => {
    const problem = await onStart(asked, paper);
    if (problem === null) onDone();
    return problem;
  };
  return (
    <Dialog title={`Sheet ${number}`} onClose={onDone}>
      <DialogBody>
        <ActionForm
          key={sheet ? "read" : "unread"}
          {...form}
          action={actions.savePaper}
          hidden={at}
          submit={["Save", "Saving…"]}
          onDone={({ message }) => onChanged(number, message ?? "")}
        >
          {(state) => <PaperFields state={state} paper={sheet} circulators={circulators} />}
        </ActionForm>
        <div className="flex flex-wrap gap-2 border-t pt-4">
          <Button
            data-first
            onClick={() => {
              onDone();
              onReport();
            }}
          >
            Close sheet…
          </Button>
          {sheet && isEmpty && (
            <ActionForm
              {...form}
              action={actions.deleteSheet}
              hidden={at}
              submit={["Delete empty sheet", "Deleting…"]}
              className="w-auto"
              onDone={({ message }) => {
                onDone();
                onChanged(null, message ?? "");
              }}
            />
          )}
        </div>
        <Part title="Wrong sheet number?">
          <ActionForm
            {...form}
            action={actions.renumberSheet}
            hidden={{ ...place, from: String(number) }}
            submit={["Renumber sheet", "Renumbering…"]}
            onDone={({ message, data }, sent) => {
              if (data?.outcome !== "renumbered") return;
              onDone();
              onChanged(Number(sent.get("to")), message ?? "");
            }}
          >
            {(state) => (
              <>
                <InputField
                  state={state}
                  name="to"
                  label="Correct number (all lines move with it)"
                  inputMode="numeric"
                  pattern="[1-9][0-9]{0,5}"
                  maxLength={6}
                  required
                  className="max-w-32"
                />
                {state.error === null && state.data?.outcome === "conflicts" && (
                  <div role="alert" className="text-destructive text-sm">
                    <p>Nothing was moved. Both sheets have:</p>
                    <ul className="list-disc py-1 pl-5">
                      {state.data.conflicts.map(({ line, here, there }) => (
                        <li key={line}>
                          line {line}: {lineText(here)} here, {lineText(there)} there
                        </li>
                      ))}
                    </ul>
                    <p>Move or remove one of each first.</p>
                  </div>
                )}
              </>
            )}
          </ActionForm>
        </Part>
        <Part title="Open another sheet">
          <StartSheet circulators={circulators} sheets={others} onStart={start} />
        </Part>
      </DialogBody>
    </Dialog>
  );
}

// Fields stay as they are when one of the forms is done.
const form = { variant: "outline", clear: "never" } as const;

const lineText = (line: Parameters<typeof nameText>[0] & { verdict: keyof typeof verdictWords }) =>
  nameText(line) || verdictWords[line.verdict];

// What is rarely done, behind its title.
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group border-t pt-3">
      <summary className="cursor-pointer font-medium">{title}</summary>
      <div className="flex flex-col gap-3 pt-3">{children}</div>
    </details>
  );
}
