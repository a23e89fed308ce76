"use client";

import { type ReactNode, startTransition, useActionState, useEffect, useEffectEvent } from "react";
import { InputField } from "@/components/forms/input-field";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { PaperFields, StartSheet } from "@/components/signatures/sheets/start-sheet";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody } from "@/components/ui/dialog";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";
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
  return (
    <Dialog title={`Sheet ${number}`} onClose={onDone}>
      {(close) => {
        const start = async (asked: number | null, paper?: Paper) => {
          const problem = await onStart(asked, paper);
          if (problem === null) close();
          return problem;
        };
        return (
          <DialogBody>
            <SendForm
              key={sheet ? "read" : "unread"}
              action={actions.savePaper}
              hidden={at}
              submit="Save"
              onDone={(said) => onChanged(number, said)}
            >
              {() => <PaperFields paper={sheet} circulators={circulators} />}
            </SendForm>
            <div className="flex flex-wrap gap-2 border-t pt-4">
              <Button
                data-first
                onClick={() => {
                  close();
                  onReport();
                }}
              >
                Close sheet…
              </Button>
              {sheet && isEmpty && (
                <SendForm
                  action={actions.deleteSheet}
                  hidden={at}
                  submit="Delete empty sheet"
                  onDone={(said) => {
                    close();
                    onChanged(null, said);
                  }}
                />
              )}
            </div>
            <Part title="Wrong sheet number?">
              <SendForm
                action={actions.renumberSheet}
                hidden={{ ...place, from: String(number) }}
                submit="Renumber sheet"
                onDone={(said, data, form) => {
                  if (data?.outcome !== "renumbered") return;
                  close();
                  onChanged(Number(form.get("to")), said);
                }}
              >
                {(data) => (
                  <>
                    <InputField
                      state={unsent}
                      name="to"
                      label="Correct number (all lines move with it)"
                      inputMode="numeric"
                      pattern="[1-9][0-9]{0,5}"
                      maxLength={6}
                      required
                      className="max-w-32"
                    />
                    {data?.outcome === "conflicts" && (
                      <div role="alert" className="text-destructive text-sm">
                        <p>Nothing was moved. Both sheets have:</p>
                        <ul className="list-disc py-1 pl-5">
                          {data.conflicts.map(({ line, here, there }) => (
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
              </SendForm>
            </Part>
            <Part title="Open another sheet">
              <StartSheet circulators={circulators} sheets={others} onStart={start} />
            </Part>
          </DialogBody>
        );
      }}
    </Dialog>
  );
}

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

// A form that keeps its fields; `onDone` gets the message and the result.
function SendForm<Data>({
  action,
  hidden,
  submit,
  onDone,
  children,
}: {
  action: FormSubmit<Data>;
  hidden: Record<string, string>;
  submit: string;
  onDone: (said: string, data: Data | undefined, form: FormData) => void;
  children?: (data: Data | undefined) => ReactNode;
}) {
  const [{ state, form }, send, pending] = useActionState(
    async (_: unknown, form: FormData) => ({ state: await action(unsent, form), form }),
    { state: unsent, form: new FormData() },
  );
  useSessionEnded(state);
  const done = useEffectEvent(onDone);
  useEffect(() => {
    if (state.message !== null) done(state.message, state.data, form);
  }, [state, form]);
  return (
    <form
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget);
        if (!pending) startTransition(() => send(typed));
      }}
    >
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children?.(state.error === null ? state.data : undefined)}
      {state.error !== null && (
        <p role="alert" className="text-destructive text-sm">
          {state.zodIssues?.map(({ message }) => `It ${message}.`).join(" ") ?? state.error}
        </p>
      )}
      <Button type="submit" variant="outline" aria-disabled={pending}>
        {pending ? "Saving…" : submit}
      </Button>
    </form>
  );
}
