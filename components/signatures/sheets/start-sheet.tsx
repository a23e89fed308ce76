"use client";

import { useId, useRef, useState } from "react";
import { InputField } from "@/components/forms/input-field";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type FormState, unsent } from "@/lib/forms/form-state";
import { withoutSeparators } from "@/lib/forms/read-number";
import { sheetOrLineNumberPattern } from "@/lib/patterns";
import type { SheetDetails } from "@/lib/signatures/changes";
import type { SheetQuestion } from "@/lib/signatures/entry/sheet-question";
import type { Sheet } from "@/lib/signatures/line";
import { personText } from "@/lib/signatures/line-text";

/**
 * Starts or resumes the sheet with a number, starts the next one, or resumes an open one. `onStart` returns what went wrong,
 * or asks first unless `isConfirmed`.
 */
export function StartSheet({
  autoFocus = false,
  circulators,
  sheets,
  onStart,
}: {
  autoFocus?: boolean;
  circulators: readonly string[];
  sheets: readonly Sheet[];
  onStart: (
    number: number | null,
    paper?: SheetDetails,
    isConfirmed?: boolean,
  ) => Promise<string | SheetQuestion | null>;
}) {
  const id = useId();
  const { count } = useFormat();
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const [question, setQuestion] = useState<(SheetQuestion & { start: () => Promise<void> }) | null>(null);
  const numberField = useRef<HTMLInputElement>(null);
  const start = async (number: number | null, paper?: SheetDetails, isConfirmed = false) => {
    setPending(true);
    setProblem(null);
    setQuestion(null);
    const answer = await onStart(number, paper, isConfirmed);
    setPending(false);
    if (answer === null || typeof answer === "string") return setProblem(answer);
    setQuestion({ ...answer, start: () => start(number, paper, true) });
  };

  return (
    <form
      className="flex flex-col gap-3 [&>:not(ul)]:max-w-md"
      onSubmit={async (event) => {
        event.preventDefault();
        if (pending) return;
        const form = new FormData(event.currentTarget);
        // Only its button starts the next number: one Enter too many would start an empty sheet.
        const isNext = event.nativeEvent instanceof SubmitEvent && event.nativeEvent.submitter?.id === `${id}-next`;
        const number = typedNumberText(form, "sheet");
        if (!isNext && number === "") return setProblem("Enter the sheet number, or use the next one.");
        if (!isNext && !sheetOrLineNumberPattern.test(number)) return setProblem("Enter a number from 1 to 999,999.");
        const paper = readPaper(form);
        if (typeof paper === "string") return setProblem(paper);
        await start(isNext ? null : Number(number), paper);
      }}
      onChange={() => setQuestion(null)}
    >
      <Field id={id} label="Sheet number">
        <Input
          ref={numberField}
          id={id}
          name="sheet"
          inputMode="numeric"
          autoComplete="off"
          maxLength={7}
          autoFocus={autoFocus}
          aria-describedby={`${id}-problem`}
          aria-invalid={problem !== null}
        />
      </Field>
      <PaperFields paper={null} circulators={circulators} />
      <div className="flex flex-wrap items-center gap-3">
        {question ? (
          <>
            <p role="alert" className="basis-full font-medium">
              {question.text}
            </p>
            {/* Has the focus, so that one Enter too many changes nothing. */}
            <Button
              variant="outline"
              autoFocus
              onClick={() => {
                setQuestion(null);
                numberField.current?.focus();
              }}
            >
              Cancel
            </Button>
            <Button onClick={question.start}>{question.yes}</Button>
          </>
        ) : (
          <>
            <Button type="submit" aria-disabled={pending}>
              {pending ? "Starting…" : "Start or resume"}
            </Button>
            <Button type="submit" id={`${id}-next`} variant="outline" aria-disabled={pending}>
              Use the next number
            </Button>
          </>
        )}
        <p id={`${id}-problem`} role="alert" className="min-w-0 text-destructive text-sm">
          {problem}
        </p>
      </div>
      {sheets.length > 0 && (
        <ul aria-label="Open sheets" className="flex flex-wrap gap-2">
          {sheets.map(({ number, mine, openedBy, lines }) => (
            <li key={number}>
              <Button variant="outline" className="font-normal" onClick={() => pending || start(number)}>
                Resume {number}
                <span className="text-muted-foreground">
                  {count(lines, "line")} · {personText(openedBy, mine)}
                </span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

/** What is written on a sheet besides its lines. */
export function PaperFields({
  state = unsent,
  paper,
  circulators,
}: {
  state?: FormState<unknown>;
  paper: SheetDetails | null;
  circulators: readonly string[];
}) {
  const listId = useId();
  return (
    <div className="grid grid-cols-2 gap-3">
      <div className="col-span-2">
        <InputField
          state={state}
          label="Circulator"
          name="circulator"
          list={listId}
          maxLength={200}
          defaultValue={paper?.circulator ?? ""}
        />
        <datalist id={listId}>
          {circulators.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <InputField
        state={state}
        label="Date collected"
        name="collectedOn"
        type="date"
        defaultValue={paper?.collectedOn ?? ""}
      />
      <InputField
        state={state}
        label="Signatures on the sheet"
        name="signatureCount"
        inputMode="numeric"
        maxLength={7}
        defaultValue={paper?.signatureCount ?? ""}
      />
    </div>
  );
}

const typedText = (form: FormData, name: string) => String(form.get(name) ?? "").trim();
const typedNumberText = (form: FormData, name: string) => withoutSeparators(typedText(form, name));

// Only fields that are filled in: resuming a sheet clears nothing. A text says what is wrong.
function readPaper(form: FormData): SheetDetails | string {
  const circulator = typedText(form, "circulator");
  const collectedOn = typedText(form, "collectedOn");
  const signatures = typedNumberText(form, "signatureCount");
  if (!/^\d{0,6}$/.test(signatures)) return "Enter the number of signatures as a whole number.";
  return {
    ...(circulator && { circulator }),
    ...(collectedOn && { collectedOn }),
    ...(signatures && { signatureCount: Number(signatures) }),
  };
}
