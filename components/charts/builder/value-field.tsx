"use client";

import { X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useSuggestions, type ValueSource } from "@/components/charts/builder/use-suggestions";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { DraftFilter, DraftOperator } from "@/lib/charts/builder-draft";
import { periodWords } from "@/lib/charts/builder-words";
import type { ChartColumn } from "@/lib/charts/chart-source";
import { groupText } from "@/lib/charts/group-text";
import { isPeriod, periods } from "@/lib/charts/period";
import { cn } from "@/lib/utils";

type Shared = { label: string; invalid: boolean; describedBy: string };
type Column = Pick<ChartColumn, "type" | "part">;

/** Whether a filter compares with days that are relative to when the chart is generated. */
export const takesPeriods = (operator: DraftOperator, type: ChartColumn["type"]) =>
  (type === "date" || type === "time") && ["eq", "gt", "gte", "lt", "lte"].includes(operator);

/** The value of a filter, typed or chosen as its column's type has it; several for `in`. */
export function ValueField({
  filter: { operator, values },
  column,
  from,
  onValues,
  ...shared
}: Shared & {
  filter: DraftFilter;
  column: Column;
  from: ValueSource;
  onValues: (values: string[]) => void;
}) {
  const same = { column, from, ...shared };
  const [first = "", second = ""] = values;
  if (operator === "missing" || operator === "given") return null;
  if (operator === "in") return <Several values={values} onValues={onValues} {...same} />;
  if (operator === "between") {
    return (
      <div
        className={cn(
          "flex flex-wrap items-center gap-1 [&>input]:w-auto [&>input]:flex-1",
          column.type === "time" ? "[&>input]:min-w-52" : "[&>input]:min-w-32",
        )}
      >
        <One {...same} text={first} onText={(text) => onValues([text, second])} label={`${shared.label}, from`} />
        <span className="text-muted-foreground text-sm">and</span>
        <One {...same} text={second} onText={(text) => onValues([first, text])} label={`${shared.label}, to`} />
      </div>
    );
  }
  const one = <One text={first} onText={(text) => onValues([text])} {...same} />;
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

const inputTypes: Partial<Record<ChartColumn["type"], string>> = { date: "date", time: "datetime-local" };

function One({
  text,
  column,
  from,
  onText,
  onEnter,
  label,
  invalid,
  describedBy,
}: Shared & {
  text: string;
  column: Column;
  from: ValueSource;
  onText: (text: string) => void;
  onEnter?: () => void;
}) {
  const { type, part } = column;
  const { weekday } = useFormat();
  const id = useId();
  const [focused, setFocused] = useState(false);
  const suggests = type === "text";
  const suggestions = useSuggestions(from, text, suggests && focused);

  if (type === "boolean") {
    return (
      <Select
        aria-label={label}
        value={text === "false" ? "false" : "true"}
        onChange={(event) => onText(event.target.value)}
      >
        <option value="true">yes</option>
        <option value="false">no</option>
      </Select>
    );
  }
  if (part?.unit === "weekday") {
    return (
      <Select
        aria-label={label}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        value={text}
        onChange={(event) => onText(event.target.value)}
      >
        <option value="">a weekday …</option>
        {[1, 2, 3, 4, 5, 6, 7].map((number) => (
          <option key={number} value={number}>
            {weekday(number)}
          </option>
        ))}
      </Select>
    );
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault(); // the chart is saved by its button
    onEnter?.();
  };
  return (
    <>
      <Input
        aria-label={label}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        type={inputTypes[type] ?? "text"}
        inputMode={type === "number" ? "decimal" : undefined}
        list={suggests ? id : undefined}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      />
      {suggests && (
        <datalist id={id}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  );
}

function Several({
  values,
  column,
  from,
  onValues,
  label,
  invalid,
  describedBy,
}: Shared & { values: string[]; column: Column; from: ValueSource; onValues: (values: string[]) => void }) {
  const format = useFormat();
  const words = (value: string) => (column.part ? groupText(Number(value), column, format) : value);
  // The last one is the one that is being typed, and counts too.
  const typed = values.at(-1) ?? "";
  const chosen = values.slice(0, -1);
  const field = useRef<HTMLDivElement>(null);
  const add = () => typed !== "" && onValues([...values, ""]);
  const remove = (index: number) => {
    onValues(values.toSpliced(index, 1));
    field.current?.querySelector<HTMLElement>("input, select")?.focus();
  };
  return (
    <div ref={field} className="flex flex-col gap-1">
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {chosen.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal values may stand there twice
            <li key={index} className="flex max-w-full items-center rounded-md border bg-primary-soft pl-2 text-sm">
              <span className="min-w-0 truncate">{words(value)}</span>
              <Button
                variant="ghost"
                size="icon"
                className="size-7 hover:bg-transparent"
                aria-label={`Without ${words(value)}`}
                onClick={() => remove(index)}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex gap-1">
        <One
          text={typed}
          column={column}
          from={from}
          onText={(text) => onValues([...chosen, text])}
          onEnter={add}
          label={`${label}, one after another with Enter`}
          invalid={invalid}
          describedBy={describedBy}
        />
        <Button variant="outline" aria-disabled={typed === ""} onClick={add}>
          Add
        </Button>
      </div>
    </div>
  );
}
