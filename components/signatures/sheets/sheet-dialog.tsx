"use client";

import { type ReactNode, startTransition, useActionState, useEffect, useEffectEvent, useId } from "react";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { PaperFields } from "@/components/signatures/sheets/paper-fields";
import { StartSheet } from "@/components/signatures/sheets/start-sheet";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { SheetAtHand } from "@/lib/signatures/answers";
import type { Paper } from "@/lib/signatures/changes";
import type { RenumberOutcome, Sheet } from "@/lib/signatures/line";
import { type Verdict, verdictWords } from "@/lib/signatures/verdicts";

/** What is done with a sheet beside keying its lines; each needs the connection. */
export type SheetActions = {
  savePaper: FormSubmit<Sheet>;
  renumberSheet: FormSubmit<RenumberOutcome>;
  deleteSheet: FormSubmit;
};

/** The sheet at hand: its paper, its number, its end; and the way to another sheet. */
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
  /** Null until it was read. */
  sheet: SheetAtHand | null;
  /** Whether no line stands on it, nor waits on this device. */
  isEmpty: boolean;
  /** The other open sheets. */
  others: readonly Sheet[];
  place: CampaignOfTeam;
  circulators: readonly string[];
  actions: SheetActions;
  onStart: (number: number | null, paper?: Paper) => Promise<string | null>;
  /** Hears that the sheet has another number, or that it is gone. */
  onChanged: (number: number | null, said: string) => void;
  onReport: () => void;
  onDone: () => void;
}) {
  const id = useId();
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
              onSaid={(said) => onChanged(number, said)}
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
                Close the sheet…
              </Button>
              {sheet && isEmpty && (
                <SendForm
                  action={actions.deleteSheet}
                  hidden={at}
                  submit="Discard: opened by mistake"
                  onSaid={(said) => {
                    close();
                    onChanged(null, said);
                  }}
                >
                  {() => null}
                </SendForm>
              )}
            </div>
            <Part title="Keyed under a wrong number?">
              <SendForm
                action={actions.renumberSheet}
                hidden={{ ...place, from: String(number) }}
                submit="Renumber"
                onSaid={(said, data, form) => {
                  if (data?.outcome !== "renumbered") return;
                  close();
                  onChanged(Number(form.get("to")), said);
                }}
              >
                {(data) => (
                  <>
                    <div className="flex flex-col gap-1">
                      <label htmlFor={`${id}-to`} className="text-muted-foreground text-xs">
                        Its right number; all of its lines go along
                      </label>
                      <Input
                        id={`${id}-to`}
                        name="to"
                        inputMode="numeric"
                        pattern="[1-9][0-9]{0,5}"
                        maxLength={6}
                        required
                        className="max-w-32"
                      />
                    </div>
                    {data?.outcome === "conflicts" && (
                      <div role="alert" className="text-destructive text-sm">
                        <p>Nothing was moved: on both sheets something stands on</p>
                        <ul className="list-disc py-1 pl-5">
                          {data.conflicts.map(({ line, here, there }) => (
                            <li key={line}>
                              line {line}: {whoOf(here)} here, {whoOf(there)} there
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
            <Part title="Another sheet">
              {others.length > 0 && (
                <ul aria-label="Open sheets" className="flex flex-wrap gap-2">
                  {others.map((other) => (
                    <li key={other.number}>
                      <Button variant="outline" className="font-normal" onClick={() => start(other.number)}>
                        Resume {other.number}
                        <span className="text-muted-foreground">{other.mine ? "you" : other.openedBy}</span>
                      </Button>
                    </li>
                  ))}
                </ul>
              )}
              <StartSheet circulators={circulators} onStart={start} />
            </Part>
          </DialogBody>
        );
      }}
    </Dialog>
  );
}

const whoOf = ({
  lastName,
  firstName,
  verdict,
}: {
  lastName: string | null;
  firstName: string | null;
  verdict: Verdict;
}) => [lastName, firstName].filter(Boolean).join(", ") || verdictWords[verdict];

/** Something that is seldom done, behind its title. */
function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group border-t pt-3">
      <summary className="cursor-pointer font-medium">{title}</summary>
      <div className="flex flex-col gap-3 pt-3">{children}</div>
    </details>
  );
}

/** A form that stays where it is; `onSaid` hears what was done. */
function SendForm<Data>({
  action,
  hidden,
  submit,
  onSaid,
  children,
}: {
  action: FormSubmit<Data>;
  hidden: Record<string, string>;
  submit: string;
  onSaid: (said: string, data: Data | undefined, form: FormData) => void;
  children: (data: Data | undefined) => ReactNode;
}) {
  const [{ state, form }, send, pending] = useActionState(
    async (_: unknown, form: FormData) => ({ state: await action(unsent, form), form }),
    { state: unsent, form: new FormData() },
  );
  useSessionEnded(state);
  const tell = useEffectEvent(onSaid);
  const data = state.error === null ? state.data : undefined;
  useEffect(() => {
    if (state.message !== null) tell(state.message, state.data, form);
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
      {children(data)}
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
