"use client";

import { X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import type { DraftFilter } from "@/components/charts/builder-draft";
import { useSuggestions, type ValueSource } from "@/components/charts/use-suggestions";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { ChartColumn } from "@/lib/charts/chart-source";

type Shared = { label: string; invalid: boolean; describedBy: string };

/** The value of a filter, typed or chosen as its column's type has it; several for `in`. */
export function ValueField({
  filter: { operator, values },
  type,
  from,
  onValues,
  ...shared
}: Shared & {
  filter: DraftFilter;
  type: ChartColumn["type"];
  from: ValueSource;
  onValues: (values: string[]) => void;
}) {
  if (operator === "missing" || operator === "given") return null;
  if (operator === "in") return <Several values={values} type={type} from={from} onValues={onValues} {...shared} />;
  return <One text={values[0] ?? ""} type={type} from={from} onText={(text) => onValues([text])} {...shared} />;
}

const inputTypes: Partial<Record<ChartColumn["type"], string>> = { date: "date", time: "datetime-local" };

function One({
  text,
  type,
  from,
  onText,
  onEnter,
  label,
  invalid,
  describedBy,
}: Shared & {
  text: string;
  type: ChartColumn["type"];
  from: ValueSource;
  onText: (text: string) => void;
  onEnter?: () => void;
}) {
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
  type,
  from,
  onValues,
  label,
  invalid,
  describedBy,
}: Shared & { values: string[]; type: ChartColumn["type"]; from: ValueSource; onValues: (values: string[]) => void }) {
  // The last one is the one that is being typed, and counts too.
  const typed = values.at(-1) ?? "";
  const chosen = values.slice(0, -1);
  const field = useRef<HTMLDivElement>(null);
  const add = () => typed !== "" && onValues([...values, ""]);
  const remove = (index: number) => {
    onValues(values.toSpliced(index, 1));
    field.current?.querySelector("input")?.focus();
  };
  return (
    <div ref={field} className="flex flex-col gap-1">
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {chosen.map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal values may stand there twice
            <li key={index} className="flex max-w-full items-center rounded-md border bg-primary-soft pl-2 text-sm">
              <span className="min-w-0 truncate">{value}</span>
              <Button
                variant="ghost"
                size="icon"
                className="size-7 hover:bg-transparent"
                aria-label={`Without ${value}`}
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
          type={type}
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
