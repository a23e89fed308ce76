"use client";

import { useId, useRef, useState } from "react";
import { InputField } from "@/components/forms/input-field";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { hasWholeYear } from "@/lib/format/days";
import { type FormState, initialFormState } from "@/lib/forms/form-state";
import { withoutSeparators } from "@/lib/forms/read-number";
import { sheetOrLineNumberPattern } from "@/lib/patterns";
import type { SheetDetails } from "@/lib/signatures/changes";
import type { EntryContext } from "@/lib/signatures/entry/entry-form";
import { beforeCampaign, dayIssue } from "@/lib/signatures/entry/offer";
import type { SheetQuestion } from "@/lib/signatures/entry/sheet-question";
import type { Sheet } from "@/lib/signatures/line";
import { personText } from "@/lib/signatures/line-text";

/**
 * Starts or resumes the sheet with a number, or resumes an open one. `onNext` returns the next number. `onStart` returns
 * what went wrong, or asks first unless `isConfirmed`.
 */
export function StartSheet({
  autoFocus = false,
  circulators,
  dates,
  sheets,
  previous,
  onNext,
  onStart,
}: {
  autoFocus?: boolean;
  circulators: readonly string[];
  dates: Dates;
  sheets: readonly Sheet[];
  /** The sheet before, whose circulator and day can be filled in. */
  previous: Sheet | null;
  onNext: () => Promise<number>;
  onStart: (
    number: number,
    paper?: SheetDetails,
    options?: { isConfirmed: boolean },
  ) => Promise<string | SheetQuestion | null>;
}) {
  const id = useId();
  const { count, shortDay } = useFormat();
  const usual = [previous?.circulator, previous?.collectedOn && shortDay(previous.collectedOn)].filter(Boolean);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [pending, setPending] = useState(false);
  const [question, setQuestion] = useState<(SheetQuestion & { start: (circulator?: string) => Promise<void> }) | null>(
    null,
  );
  const numberField = useRef<HTMLInputElement>(null);
  const lastKeyMs = useRef(0);
  const start = async (number: number, paper?: SheetDetails, isConfirmed = false) => {
    setPending(true);
    setProblem(null);
    setQuestion(null);
    const started = await onStart(number, paper, { isConfirmed });
    setPending(false);
    lastKeyMs.current = Date.now();
    if (typeof started === "string") return setProblem({ text: started });
    if (started)
      setQuestion({
        ...started,
        start: (circulator) => {
          if (circulator === undefined) return start(number, paper, true);
          fillIn("circulator", circulator);
          return start(number, { ...paper, circulator }); // asks about the rest
        },
      });
  };
  const fillIn = (name: string, text: string | null) => {
    const field = numberField.current?.form?.elements.namedItem(name);
    if (!(field instanceof HTMLInputElement) || text === null) return;
    field.value = text;
    field.focus(); // it is checked when it loses the focus
  };
  // Only fills in the number: the clerk compares it with the paper, then starts the sheet.
  const fillInNext = async () => {
    if (pending) return;
    setPending(true);
    const next = await onNext();
    setPending(false);
    setProblem(null);
    setQuestion(null);
    if (numberField.current) numberField.current.value = String(next);
    numberField.current?.focus();
  };

  const cancel = () => {
    setQuestion(null);
    numberField.current?.focus();
  };

  const alert = (
    <p id={`${id}-problem`} role="alert" className="min-w-0 text-destructive text-sm">
      {problem?.text}
    </p>
  );
  return (
    <form
      noValidate
      className="flex flex-col gap-3 [&>:not(ul)]:max-w-md"
      onSubmit={async (event) => {
        event.preventDefault();
        if (pending) return;
        const form = event.currentTarget;
        // A half typed date would be sent as none.
        const isHalfTyped = [...form.querySelectorAll("input")].some(({ validity }) => validity.badInput);
        const read = isHalfTyped ? halfTypedDay : readForm(new FormData(form), dates.today);
        if (!("field" in read)) return start(read.number, read.paper);
        setProblem(read);
        form.querySelector<HTMLElement>(`[name=${read.field}]`)?.focus();
      }}
      onChange={() => {
        setQuestion(null);
        setProblem(null);
      }}
      onKeyDown={(event) => {
        if (question === null) return;
        // Someone who types on hasn't seen the question: Tab would lead from “Cancel” to another answer.
        const isTypedAhead = Date.now() - lastKeyMs.current < pauseMs;
        lastKeyMs.current = Date.now();
        if (event.key === "Escape" || (event.key === "Tab" && isTypedAhead)) event.preventDefault(); // a dialog stays open
        if (event.key === "Escape") cancel();
      }}
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
          aria-invalid={problem?.field === "sheet"}
        />
        {problem?.field === "sheet" && alert}
      </Field>
      {previous && usual.length > 0 && (
        <Button
          variant="outline"
          className="max-w-full self-start font-normal"
          onClick={() => {
            fillIn("circulator", previous.circulator);
            fillIn("collectedOn", previous.collectedOn);
            setProblem(null);
            setQuestion(null);
            const next = numberField.current?.value ? "signatureCount" : "sheet";
            numberField.current?.form?.querySelector<HTMLElement>(`[name=${next}]`)?.focus();
          }}
        >
          <span className="truncate">
            Same as sheet {previous.number}: {usual.join(" · ")}
          </span>
        </Button>
      )}
      <SheetDetailsFields
        state={toFormState(problem)}
        paper={null}
        circulators={circulators}
        dates={question ? { today: dates.today, startsOn: null } : dates} // the question says it
      />
      <div className="flex flex-wrap items-center gap-3">
        {question ? (
          <div role="alertdialog" aria-labelledby={`${id}-question`} className="contents">
            <p id={`${id}-question`} role="alert" className="basis-full font-medium">
              {question.text}
            </p>
            {/* Has the focus, so that one Enter too many changes nothing. */}
            <Button
              key="cancel" // not the button that was there before, which would leave the focus in the field
              variant="outline"
              autoFocus
              onClick={cancel}
            >
              Cancel
            </Button>
            {question.meantCirculator && (
              <Button variant="outline" onClick={() => question.start(question.meantCirculator)}>
                Use {question.meantCirculator}
              </Button>
            )}
            <Button onClick={() => question.start()}>{question.yes}</Button>
          </div>
        ) : (
          <>
            <Button type="submit" aria-disabled={pending}>
              {pending ? "Starting…" : "Start or resume"}
            </Button>
            <Button variant="outline" aria-disabled={pending} onClick={fillInNext}>
              Use the next number
            </Button>
          </>
        )}
        {problem?.field === undefined && alert}
      </div>
      {sheets.length > 0 && (
        <ul aria-label="Open sheets" className="flex flex-wrap gap-2">
          {sheets.map(({ number, mine, openedBy, lines }) => (
            <li key={number} className="max-w-full">
              <Button variant="outline" className="max-w-full font-normal" onClick={() => pending || start(number)}>
                Resume sheet {number}
                <span className="truncate text-muted-foreground">
                  {count(lines, "line")} · last opened by {personText(openedBy, mine)}
                </span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

const pauseMs = 600; // long enough to see a question

type Dates = Pick<EntryContext, "today" | "startsOn">;

/** What is written on a sheet besides its lines. */
export function SheetDetailsFields({
  state = initialFormState,
  paper,
  circulators,
  dates,
}: {
  state?: FormState<unknown>;
  paper: SheetDetails | null;
  circulators: readonly string[];
  dates: Dates;
}) {
  const listId = useId();
  const format = useFormat();
  const isListUsed = useRef(false);
  const [day, setDay] = useState(""); // as it was last checked, before it is sent
  const issue = dayIssue(day, dates.today);
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
          onKeyDown={({ key, currentTarget: field }) => {
            // Browsers ignore Tab right after ↓, when the list has only just opened.
            const begun = field.value.trim().toLowerCase();
            const [name, ...others] = circulators.filter((one) => one.toLowerCase().startsWith(begun));
            if (key === "Tab" && isListUsed.current && name && others.length === 0) field.value = name;
            isListUsed.current = key === "ArrowDown" && begun !== "";
          }}
        />
        <datalist id={listId}>
          {circulators.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <InputField
        state={issue === null ? state : toFormState({ field: "collectedOn", text: issue })}
        label="Date collected"
        name="collectedOn"
        type="date"
        max={dates.today}
        defaultValue={paper?.collectedOn ?? ""}
        found={beforeCampaign(day, { startsOn: dates.startsOn, format })}
        onChange={({ target: { value } }) => setDay(hasWholeYear(value) ? value : "")}
        onBlur={({ target }) => setDay(target.value)}
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

/** What is wrong, with a field or with starting the sheet. */
type Problem = { field?: "sheet" | "collectedOn" | "signatureCount"; text: string };

const halfTypedDay: Required<Problem> = { field: "collectedOn", text: "needs a month, day, and year" };

const typedText = (form: FormData, name: string) => String(form.get(name) ?? "").trim();
const typedNumberText = (form: FormData, name: string) => withoutSeparators(typedText(form, name));

// Sends only the filled-in fields of the sheet, so that resuming one clears nothing.
function readForm(form: FormData, today: string): { number: number; paper: SheetDetails } | Required<Problem> {
  const number = typedNumberText(form, "sheet");
  const signatures = typedNumberText(form, "signatureCount");
  const issue = dayIssue(typedText(form, "collectedOn"), today);
  if (number === "") return { field: "sheet", text: "Enter the sheet number, or use the next one." };
  if (!sheetOrLineNumberPattern.test(number)) return { field: "sheet", text: "Enter a number from 1 to 999,999." };
  if (issue !== null) return { field: "collectedOn", text: issue };
  if (!/^(|0*[1-9]\d{0,2}|1000)$/.test(signatures)) return { field: "signatureCount", text: "must be from 1 to 1,000" };
  return { number: Number(number), paper: readPaper(form) };
}

/** The filled-in details of a sheet. */
export function readPaper(form: FormData): SheetDetails {
  const circulator = typedText(form, "circulator");
  const collectedOn = typedText(form, "collectedOn");
  const signatures = typedNumberText(form, "signatureCount");
  return {
    ...(circulator && { circulator }),
    ...(collectedOn && { collectedOn }),
    ...(signatures && { signatureCount: Number(signatures) }),
  };
}

function toFormState(problem: Problem | null): FormState<unknown> {
  if (problem?.field === undefined) return initialFormState;
  const issue = { code: "custom", path: [problem.field], message: problem.text };
  return { message: null, error: problem.text, zodIssues: [issue] };
}
