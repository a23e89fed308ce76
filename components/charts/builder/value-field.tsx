"use client";

import { X } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { askedText, isMissing, useSuggestions, type ValueSource } from "@/components/charts/builder/use-suggestions";
import { ValueCombobox } from "@/components/charts/builder/value-combobox";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { DraftFilter, DraftOperator } from "@/lib/charts/builder/draft-filters";
import { periodWords } from "@/lib/charts/builder/words";
import { isPeriod, periods } from "@/lib/charts/definition/period";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { groupText } from "@/lib/charts/display/texts";
import { cn } from "@/lib/utils";

type Shared = {
  column: ChartColumn;
  /** Where values come from, and what a record of it is called: `signature`. */
  from: Omit<ValueSource, "column"> & { record: string };
  operator: DraftOperator;
  label: string;
  invalid: boolean;
  describedBy: string;
};

const inputTypes: Partial<Record<ChartColumn["type"], string>> = { date: "date", time: "datetime-local" };

/** Whether values of an operator are of the column's own kind: they outlast a change to another such operator. */
export const takesValues = (operator: DraftOperator) => !["missing", "given", "last"].includes(operator);

/** Whether a filter compares with days that are relative to when the chart is generated. */
export const takesPeriods = (operator: DraftOperator, type: ChartColumn["type"]) =>
  (type === "date" || type === "time") && ["eq", "gt", "gte", "lt", "lte"].includes(operator);

/** The value of a filter, typed or chosen as its column's type has it; several for `in`. */
export function ValueField({
  filter: { operator, values, untouched },
  onValues,
  ...given
}: Omit<Shared, "operator"> & { filter: DraftFilter; onValues: (values: string[]) => void }) {
  const shared = { operator, ...given };
  const { column } = shared;
  const [first = "", second = ""] = values;
  if (operator === "missing" || operator === "given") return null;
  if (operator === "in") return <Several {...shared} values={values} onValues={onValues} />;
  if (operator === "last") {
    return (
      <div className="flex items-center gap-2 text-sm">
        <Typed {...shared} text={first} onText={(text) => onValues([text])} isNumber />
        <span className="shrink-0 text-muted-foreground">days, up to today</span>
      </div>
    );
  }
  if (operator === "between") {
    return (
      <div
        className={cn(
          "flex flex-wrap items-center gap-1 [&>input]:w-auto [&>input]:flex-1",
          column.type === "time" ? "[&>input]:min-w-52" : "[&>input]:min-w-32",
        )}
      >
        <Typed {...shared} text={first} onText={(text) => onValues([text, second])} label={`${shared.label}, from`} />
        <span className="text-muted-foreground text-sm">and</span>
        <Typed {...shared} text={second} onText={(text) => onValues([first, text])} label={`${shared.label}, to`} />
      </div>
    );
  }
  const one = <One {...shared} text={first} isStored={untouched !== undefined} onText={(text) => onValues([text])} />;
  if (!takesPeriods(operator, column.type)) return one;
  const isRelative = isPeriod(first);
  return (
    <div className="flex flex-wrap gap-1 [&>*]:min-w-32 [&>*]:flex-1">
      <Select
        aria-label={`${shared.label}, a day or relative`}
        value={isRelative ? first : ""}
        onChange={(event) => onValues([event.target.value])}
      >
        <option value="">{column.type === "date" ? "a day …" : "a time …"}</option>
        {[...new Set([...periods, ...(isRelative ? [first] : [])])].map((period) => (
          <option key={period} value={period}>
            {periodWords(period, operator)}
          </option>
        ))}
      </Select>
      {!isRelative && one}
    </div>
  );
}

/** What a value is chosen from: two, seven, or those that the column has. */
function One({
  text,
  onText,
  onPick = onText,
  isStored = false,
  ...shared
}: Shared & { text: string; onText: (text: string) => void; onPick?: (text: string) => void; isStored?: boolean }) {
  const { weekday } = useFormat();
  const { column, operator, from, label, invalid, describedBy } = shared;
  const choices =
    column.type === "boolean"
      ? [
          ["true", "yes"],
          ["false", "no"],
        ]
      : column.part?.unit === "weekday"
        ? [1, 2, 3, 4, 5, 6, 7].map((number) => [String(number), weekday(number)])
        : null;
  if (choices) {
    return (
      <Select
        aria-label={label}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        value={text}
        onChange={(event) => onText(event.target.value)}
      >
        <option value="">{column.type === "boolean" ? "yes or no …" : "a weekday …"}</option>
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
    );
  }
  const isSuggested =
    ["eq", "neq", "in", "starts"].includes(operator) && (column.type === "text" || column.type === "number");
  if (!isSuggested) return <Typed {...shared} text={text} onText={onText} onEnter={() => onPick(text)} />;
  return (
    <ValueCombobox
      text={text}
      from={{ ...from, column: column.name, columnLabel: column.label }}
      isBeginning={operator === "starts"}
      isNumber={column.type === "number"}
      onText={onText}
      onPick={onPick}
      placeholder={isStored && text === "" ? "an empty text" : undefined}
      {...{ label, invalid, describedBy }}
    />
  );
}

function Typed({
  text,
  column,
  operator,
  isNumber = column.type === "number",
  onText,
  onEnter,
  label,
  invalid,
  describedBy,
}: Shared & { text: string; isNumber?: boolean; onText: (text: string) => void; onEnter?: () => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault(); // the chart is saved by its button
    onEnter?.();
  };
  return (
    <Input
      aria-label={label}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      type={(!isNumber && inputTypes[column.type]) || "text"}
      inputMode={isNumber ? "decimal" : undefined}
      placeholder={operator === "contains" && column.type === "text" ? "as written, with capitals" : undefined}
      maxLength={500}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={(event) => onText(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}

function Several({ values, onValues, ...shared }: Shared & { values: string[]; onValues: (values: string[]) => void }) {
  // The last one is the one that is being typed, and counts too.
  const typed = values.at(-1) ?? "";
  const chosen = values.slice(0, -1);
  const field = useRef<HTMLDivElement>(null);
  const add = (text: string) => text !== "" && onValues([...chosen, text, ""]);
  const remove = (index: number) => {
    onValues(values.toSpliced(index, 1));
    field.current?.querySelector<HTMLElement>("input, select")?.focus();
  };
  return (
    <div ref={field} className="flex flex-col gap-1">
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {chosen.map((value, index) => (
            <Chosen
              // biome-ignore lint/suspicious/noArrayIndexKey: equal values may stand there twice
              key={index}
              {...shared}
              text={value}
              isAsked={index < 20}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      )}
      <div className="flex gap-1">
        <One
          {...shared}
          text={typed}
          onText={(text) => onValues([...chosen, text])}
          onPick={add}
          label={`${shared.label}, one after another with Enter`}
        />
        <Button variant="outline" aria-disabled={typed === ""} onClick={() => add(typed)}>
          Add
        </Button>
      </div>
    </div>
  );
}

function Chosen({
  text,
  column,
  from,
  isAsked,
  onRemove,
}: Pick<Shared, "column" | "from"> & { text: string; isAsked: boolean; onRemove: () => void }) {
  const format = useFormat();
  const isNumber = column.type === "number";
  const isSuggested = isNumber || column.type === "text";
  const found = useSuggestions({ ...from, column: column.name }, askedText(text, isNumber), isAsked && isSuggested);
  const words = column.part ? groupText(Number(text), column, format) : text;
  const missing = isMissing(found, text, { isNumber }) && `no ${from.record} has it`;
  return (
    <li className="flex max-w-full items-center rounded-md border bg-primary-soft pl-2 text-sm">
      <span className="min-w-0 truncate">{words}</span>
      {missing && <span className="shrink-0 pl-1 text-warning text-xs">({missing})</span>}
      <Button
        variant="ghost"
        size="icon"
        className="size-7 hover:bg-transparent"
        aria-label={`Without ${words}`}
        onClick={onRemove}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}
