"use client";

import { type Ref, useId, useRef, useState } from "react";
import { InputField } from "@/components/forms/input-field";
import { useFormat } from "@/components/shell/format-provider";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { Button } from "@/components/ui/button";
import { hasWholeYear } from "@/lib/format/days";
import { equalIgnoringCase } from "@/lib/format/text";
import { type FormState, fieldsWrong, initialFormState, oneFieldWrong } from "@/lib/forms/form-state";
import { readWholeNumber } from "@/lib/forms/read-number";
import type { SheetDetails } from "@/lib/signatures/changes";
import type { EntryContext } from "@/lib/signatures/entry/entry-form";
import { readSheet, type SheetQuestion } from "@/lib/signatures/entry/sheet-question";
import { beforeCampaignText, dayIssue, halfTypedDay } from "@/lib/signatures/entry/signed-date";
import type { Sheet } from "@/lib/signatures/line";
import { personText } from "@/lib/signatures/line-text";

/**
 * Starts or resumes the sheet with a number, or resumes an open one. `onNext` returns the next number. `onStart` returns
 * what went wrong, or asks first unless that was `asked`.
 */
export function StartSheet({
  ref,
  autoFocus = false,
  circulators,
  dates,
  sheets,
  previous,
  onNext,
  onStart,
}: {
  /** Gets the field of the sheet number. */
  ref?: Ref<HTMLInputElement>;
  autoFocus?: boolean;
  circulators: readonly string[];
  dates: Dates;
  sheets: readonly Sheet[];
  /** The sheet before, whose circulator and day can be filled in. */
  previous: Sheet | null;
  onNext: Entry["sheets"]["next"];
  onStart: Entry["sheets"]["start"];
}) {
  const format = useFormat();
  const usual = [previous?.circulator, previous?.collectedOn && format.shortDay(previous.collectedOn)].filter(Boolean);
  const [result, setResult] = useState<FormState<unknown> | Question>(initialFormState);
  const [question, state] = "yes" in result ? [result, initialFormState] : [null, result];
  const [pending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const lastField = useRef<HTMLInputElement>(null);
  const lastKeyMs = useRef(0);
  const start = async (number: number, details?: SheetDetails, asked?: SheetQuestion) => {
    setPending(true);
    setResult(initialFormState);
    const started = await onStart(number, details, { asked });
    setPending(false);
    lastKeyMs.current = Date.now();
    if (typeof started === "string") return setResult({ message: null, error: started });
    if (started)
      setResult({
        ...started,
        start: (circulator) => {
          if (circulator === undefined) return start(number, details, started);
          fillIn("circulator", circulator);
          return start(number, { ...details, circulator }); // asks about the rest
        },
      });
  };
  const fieldOf = (name: string) => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
  const fillIn = (name: string, text: string | null, focuses = true) => {
    const field = fieldOf(name);
    if (!field || text === null) return;
    field.value = text;
    setResult(initialFormState); // as for a typed change
    if (focuses) field.focus(); // it is checked when it loses the focus
  };
  const fillInNext = async (button: Element) => {
    const before = fieldOf("sheet")?.value;
    const next = String(await onNext());
    if (fieldOf("sheet")?.value !== before) return; // the clerk typed one, or may have gone on to another field
    fillIn("sheet", next, [button, document.body].includes(document.activeElement ?? button));
  };
  const goBack = (asked?: SheetQuestion) => {
    setResult(initialFormState);
    const field = asked?.field ? fieldOf(asked.field) : lastField.current;
    if (asked) field?.select();
    field?.focus();
  };
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-3 [&>:not(ul)]:max-w-md"
      onSubmit={async (event) => {
        event.preventDefault();
        if (pending) return;
        const sent = new FormData(event.currentTarget);
        if (fieldOf("collectedOn")?.validity.badInput) sent.set("collectedOn", halfTypedDay); // would be sent as none
        const { number, details, issues } = readForm(sent, { ...dates, format });
        const [first] = Object.keys(issues);
        if (first === undefined) return start(number, details);
        setResult(fieldsWrong(issues));
        fieldOf(first)?.focus();
      }}
      onChange={() => setResult(initialFormState)}
      onFocus={({ target }) => {
        if (target instanceof HTMLInputElement) lastField.current = target;
      }}
      onKeyDown={(event) => {
        if (question === null) return;
        const isTypedAhead = Date.now() - lastKeyMs.current < pauseMs; // before the question could be seen
        lastKeyMs.current = Date.now();
        if (event.key === "Escape" || (event.key === "Tab" && isTypedAhead)) event.preventDefault(); // a dialog stays open
        const isText = /^\S$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
        if (isText) event.nativeEvent.stopImmediatePropagation(); // isn't a shortcut, but typed into the last field
        if (isText || event.key === "Escape") goBack(isText ? undefined : question);
      }}
    >
      <InputField
        ref={ref}
        state={state}
        label="Sheet number"
        name="sheet"
        inputMode="numeric"
        maxLength={7}
        autoFocus={autoFocus}
      />
      {previous && usual.length > 0 && (
        <Button
          variant="outline"
          className="max-w-full self-start font-normal"
          onClick={() => {
            fillIn("circulator", previous.circulator);
            fillIn("collectedOn", previous.collectedOn);
            fieldOf(fieldOf("sheet")?.value ? "signatureCount" : "sheet")?.focus();
          }}
        >
          <span className="truncate">
            Same as sheet {previous.number}: {usual.join(" · ")}
          </span>
        </Button>
      )}
      <SheetDetailsFields
        state={state}
        details={null}
        circulators={circulators}
        dates={question ? { today: dates.today, startsOn: null } : dates} // the question says it
      />
      <div className="flex flex-wrap items-center gap-3">
        {question ? (
          <div role="alertdialog" aria-label={question.text} className="contents">
            <p role="alert" className="basis-full font-medium">
              {question.text}
            </p>
            <Button
              key="cancel" // not the button that was there before, which would leave the focus in the field
              variant="outline"
              autoFocus // so that one Enter too many changes nothing
              onClick={() => goBack(question)}
            >
              Cancel
            </Button>
            {question.meantCirculator && (
              <Button onClick={() => question.start(question.meantCirculator)}>Use {question.meantCirculator}</Button>
            )}
            <Button variant={question.meantCirculator ? "outline" : "default"} onClick={() => question.start()}>
              {question.yes}
            </Button>
          </div>
        ) : (
          <>
            <Button type="submit" aria-disabled={pending}>
              {pending ? "Starting…" : "Start or resume"}
            </Button>
            <Button
              variant="outline"
              aria-disabled={pending}
              // Starts nothing: the clerk first compares the number with the paper.
              onClick={({ currentTarget }) => pending || fillInNext(currentTarget)}
            >
              Use the next number
            </Button>
          </>
        )}
        <p role="alert" className="min-w-0 text-destructive text-sm empty:hidden">
          {state.error !== oneFieldWrong && state.error}
        </p>
      </div>
      {sheets.length > 0 && (
        <ul aria-label="Open sheets" className="flex flex-wrap gap-2">
          {sheets.map(({ number, mine, openedBy, lines }) => (
            <li key={number} className="max-w-full">
              <Button variant="outline" className="max-w-full font-normal" onClick={() => pending || start(number)}>
                Resume sheet {number}
                <span className="truncate text-muted-foreground">
                  {lines} entered · last opened by {personText(openedBy, mine)}
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
  details,
  circulators,
  dates,
}: {
  state?: FormState<unknown>;
  details: SheetDetails | null;
  circulators: readonly string[];
  dates: Dates;
}) {
  const listId = useId();
  const format = useFormat();
  const isListUsed = useRef(false);
  const [day, setDay] = useState(""); // as it was last checked, before it is sent
  const issue = dayIssue(day, "date collected", { ...dates, format });
  const spellAsKnown = (field: HTMLInputElement) => {
    const known = circulators.find((name) => equalIgnoringCase(name, field.value.trim()));
    if (known && !circulators.includes(field.value)) field.value = known;
  };
  return (
    <div className="grid grid-cols-2 gap-3">
      <div className="col-span-2">
        <InputField
          state={state}
          label="Circulator"
          name="circulator"
          list={listId}
          maxLength={200}
          defaultValue={details?.circulator ?? ""}
          onBlur={({ target }) => spellAsKnown(target)}
          onKeyDown={({ key, currentTarget: field }) => {
            if (key === "Enter") spellAsKnown(field);
            // Browsers ignore Tab right after ↓, when the list has only just opened.
            const begun = field.value.trim().toLowerCase();
            const [name, ...others] = circulators.filter((circulator) => circulator.toLowerCase().startsWith(begun));
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
        state={issue === null ? state : fieldsWrong({ collectedOn: issue })}
        label="Date collected"
        name="collectedOn"
        type="date"
        max={dates.today}
        defaultValue={details?.collectedOn ?? ""}
        found={beforeCampaignText(day, { startsOn: dates.startsOn, format })}
        onChange={({ target: { value } }) => setDay(hasWholeYear(value) ? value : "")}
        onBlur={({ target }) => setDay(target.value)}
      />
      <InputField
        state={state}
        label="Signatures on the sheet"
        name="signatureCount"
        inputMode="numeric"
        maxLength={7}
        defaultValue={details?.signatureCount ?? ""}
      />
    </div>
  );
}

type Question = SheetQuestion & { start: (circulator?: string) => Promise<void> };

const isUpTo = (max: number, number: number) => number >= 1 && number <= max; // false for NaN

// Sends only the filled-in fields of the sheet, so that resuming one clears nothing.
function readForm(form: FormData, context: Pick<EntryContext, "today" | "format">) {
  const typed = String(form.get("sheet") ?? "").trim();
  const number = readWholeNumber(typed);
  const details = readSheet(form);
  const sheet = typed === "" ? "Enter the sheet number, or use the next one" : "Enter a sheet number from 1 to 999999";
  const collectedOn = dayIssue(details.collectedOn ?? "", "date collected", context);
  const issues: Record<string, string> = {
    ...(!isUpTo(999_999, number) && { sheet }),
    ...(collectedOn !== null && { collectedOn }),
    ...(!isUpTo(1_000, details.signatureCount ?? 1) && { signatureCount: "Enter 1 to 1,000 signatures" }),
  };
  return { number, details, issues };
}
