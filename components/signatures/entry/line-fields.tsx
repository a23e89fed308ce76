import { type KeyboardEvent, useId, useRef } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { hitId } from "@/components/signatures/entry/hit-list";
import type { Entry } from "@/components/signatures/entry/use-entry";
import { Input } from "@/components/ui/input";
import { VoterInput } from "@/components/voters/voter-input";
import { hasNames } from "@/lib/signatures/entry/entry-form";
import { keyEvent, questionKeyEvent } from "@/lib/signatures/entry/entry-keys";
import { dayProblem, halfTypedDay, outsideDates } from "@/lib/signatures/entry/signed-date";
import { ignoresTab, isTypingAhead, typedFields } from "@/lib/signatures/entry/type-ahead";
import { cn } from "@/lib/utils";

const saved = "Stays on the next lines until you clear it";

/** The fields of the current line: its number, who is on it, and the places and the date, which stay from line to line. */
export function LineFields({
  entry: { lastName, lineNumber, form, context, current, listId, marked, dispatch },
  folded,
}: {
  entry: Entry;
  /** Classes of what isn't needed for each line. */
  folded: string;
}) {
  const { line, signedOn } = form;
  const fields = typedFields(form);
  const { collectedOn } = context;
  const { shortDay } = useFormat();
  const isFound = context.voters.length + context.similar.length > 0;
  const activeId = marked === null ? undefined : hitId(listId, marked);
  const id = useId();
  const dateSigned = useRef<HTMLInputElement>(null);
  const readDay = ({ validity, value }: HTMLInputElement) => {
    const isHalf = validity.badInput;
    if (isHalf || signedOn === halfTypedDay) dispatch({ type: "day", signedOn: isHalf ? halfTypedDay : value });
    dispatch({ type: "place-done" });
  };
  const onKeyDown = ({ nativeEvent, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
    const event = keyEvent(nativeEvent);
    const questionEvent =
      event || form.openQuestion === null || isTypingAhead(form) ? null : questionKeyEvent(nativeEvent);
    if (questionEvent) {
      if (questionEvent.type === "tab" && ignoresTab(form)) nativeEvent.preventDefault();
      dispatch(questionEvent);
    }
    const isDate = currentTarget === dateSigned.current;
    if (!event || (isDate && event.type === "move")) return; // the date field uses arrows itself
    nativeEvent.preventDefault();
    if (event.type === "clear" && dateSigned.current?.validity.badInput) dateSigned.current.value = "";
    if (isDate) readDay(currentTarget);
    const isChosen = currentTarget === lineNumber.current && event.type === "enter" && !hasNames(form);
    dispatch(isChosen && line !== null ? { type: "go", line } : event);
    if (!isDate || document.activeElement !== currentTarget) return;
    currentTarget.blur(); // nothing was entered: from its month on, typing replaces the date
    currentTarget.focus();
  };
  const shared = {
    fields,
    popup: "listbox" as const,
    listbox: isFound && !current ? { id: listId, activeId } : null,
    onKeyDown,
    onText: (field: keyof typeof fields, text: string) => dispatch({ type: "typed", field, text }),
  };
  return (
    <search
      aria-label="Voter on this line"
      onPointerDown={() => form.openQuestion && !isTypingAhead(form) && dispatch({ type: "look" })}
      className="grid @3xl:grid-cols-[4.5rem_minmax(0,3fr)_minmax(0,2fr)_6rem] grid-cols-[3fr_2fr_5.25rem] gap-2 px-4 @max-3xl:py-1 py-3 md:px-6"
    >
      <div className={cn("@max-3xl:col-span-full flex min-w-0 flex-col gap-1", folded)}>
        <label htmlFor={`${id}-line`} className="text-muted-foreground text-xs">
          Line
        </label>
        <Input
          ref={lineNumber}
          id={`${id}-line`}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={line ?? ""}
          onBeforeInput={(event) => /\D/.test(event.data) && event.preventDefault()}
          onChange={({ target: { value } }) => Number(value) > 0 && dispatch({ type: "line", line: Number(value) })}
          onFocus={(event) => event.target.select()}
          onBlur={() => dispatch({ type: "place-done" })}
          onKeyDown={onKeyDown}
        />
      </div>
      <VoterInput ref={lastName} field="lastName" {...shared} />
      <VoterInput field="firstName" {...shared} />
      <VoterInput field="houseNumber" {...shared} />
      <div
        className={cn(
          "col-span-full grid @3xl:grid-cols-[minmax(0,2fr)_6.5rem_minmax(0,2fr)_11.5rem] grid-cols-2 gap-2",
          folded,
        )}
      >
        <VoterInput field="city" saved={saved} {...shared} />
        <VoterInput field="zip" inputMode="numeric" saved={saved} {...shared} />
        <VoterInput field="county" saved={saved} {...shared} />
        <div className="flex min-w-0 flex-wrap justify-between gap-x-2 gap-y-1 text-xs">
          <label htmlFor={`${id}-day`} className="text-muted-foreground">
            Date signed
          </label>
          <Input
            ref={dateSigned}
            id={`${id}-day`}
            type="date"
            max={context.today} // in Chrome, a year of four digits
            value={signedOn === halfTypedDay ? "" : signedOn}
            aria-invalid={(dayProblem(signedOn, context) ?? outsideDates(signedOn, context)) !== null}
            onChange={(event) => dispatch({ type: "day", signedOn: event.target.value })}
            onBlur={({ currentTarget }) => readDay(currentTarget)}
            onKeyDown={onKeyDown}
            className={cn("order-last basis-full", signedOn !== "" && "bg-primary-soft")}
          />
          {collectedOn && signedOn !== collectedOn && dayProblem(collectedOn, context) === null && (
            <button
              type="button"
              title="The day collected"
              className="cursor-pointer text-primary underline underline-offset-2"
              onClick={() => {
                dispatch({ type: "day", signedOn: collectedOn });
                lastName.current?.focus(); // the button is gone
              }}
            >
              Use {shortDay(collectedOn)}
            </button>
          )}
        </div>
      </div>
    </search>
  );
}
