import { X } from "lucide-react";
import { useRef } from "react";
import { type FieldProps, TextField } from "@/components/charts/builder/fields";
import {
  isMissing,
  suggestionPrefix,
  useSuggestions,
  type ValueSource,
} from "@/components/charts/builder/use-suggestions";
import { ValueCombobox } from "@/components/charts/builder/value-combobox";
import { useFormat } from "@/components/shell/format-provider";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Choice, type Options } from "@/components/ui/select";
import type { DraftFilter } from "@/lib/charts/builder/draft-schema";
import { type DraftOperator, periodLabel, takesPeriods } from "@/lib/charts/definition/operators";
import { isPeriod, periods } from "@/lib/charts/definition/period";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { takesList } from "@/lib/charts/definition/words";
import { formatGroupValue, resultLabels } from "@/lib/charts/display/chart-text";
import type { Format } from "@/lib/format/format-of";
import { withinSentence } from "@/lib/format/text";
import { cn } from "@/lib/utils";

type Shared = {
  column: ChartColumn;
  /** Where values come from, and what a record of it is called: `signature`. */
  from: Omit<ValueSource, "column"> & { record: string };
  operator: DraftOperator;
  field: FieldProps;
};
type OneText = Shared & { text: string; onText: (text: string) => void };

type Props = Omit<Shared, "operator"> & { filter: DraftFilter; onValues: (values: string[]) => void };

/** The value of a filter, by its column's type; several for `in`. */
export function ValueField({ filter, onValues, ...props }: Props) {
  const { operator, values, untouched } = filter;
  const shared = { operator, ...props };
  const { column, field } = shared;
  const labeled = (more: string) => ({ ...field, "aria-label": `${field["aria-label"]}, ${more}` });
  const [first = "", second = ""] = values;
  if (operator === "missing" || operator === "given") return null;
  if (takesList(operator)) return <Several {...shared} values={values} onValues={onValues} />;
  if (operator === "last") {
    return (
      <div className="flex items-center gap-2 text-sm">
        <Typed {...shared} text={first} onText={(text) => onValues([text])} isNumber />
        <span className="shrink-0 text-muted-foreground">days, including today</span>
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
        <Typed {...shared} text={first} onText={(text) => onValues([text, second])} field={labeled("from")} />
        <span className="text-muted-foreground text-sm">and</span>
        <Typed {...shared} text={second} onText={(text) => onValues([first, text])} field={labeled("to")} />
      </div>
    );
  }
  const input = <One {...shared} text={first} isStored={untouched !== undefined} onText={(text) => onValues([text])} />;
  if (!takesPeriods(operator, column.type)) return input;
  const isRelative = isPeriod(first);
  const offered = new Set([...periods, ...(isRelative ? [first] : [])]);
  return (
    <div className="flex flex-wrap gap-1 [&>*]:min-w-32 [&>*]:flex-1">
      <Choice
        aria-label={labeled("fixed or relative")["aria-label"]}
        value={isRelative ? first : ""}
        options={[
          ["", column.type === "date" ? "a date…" : "a time…"],
          ...[...offered].map((period) => [period, periodLabel(period, operator)] as const),
        ]}
        onChoose={(period) => onValues([period])}
      />
      {!isRelative && input}
    </div>
  );
}

// The values of a column that has only a few, whatever the records.
function knownValues({ name, type, part }: ChartColumn, { weekday }: Format): Options<string> | null {
  if (part?.unit === "weekday") return [1, 2, 3, 4, 5, 6, 7].map((day) => [String(day), weekday(day)] as const);
  if (name === "verdict") return [...resultLabels];
  const yesOrNo = [
    ["true", "yes"],
    ["false", "no"],
  ] as const;
  return type === "boolean" ? yesOrNo : null;
}

/** One value: yes or no, a weekday, an existing value, or a typed one. */
type OneProps = OneText & { chosen?: string[]; onPick?: (text: string) => void; isStored?: boolean };

function One({ chosen, onPick, isStored, ...shared }: OneProps) {
  const format = useFormat();
  const { text, onText, column, operator, from, field } = shared;
  const choices = operator.endsWith("contains") ? null : knownValues(column, format);
  if (choices) {
    const what =
      column.type === "boolean" ? "yes or no" : column.part ? "a weekday" : `a ${withinSentence(column.label)}`;
    return <Choice {...field} value={text} options={[["", `Choose ${what}…`], ...choices]} onChoose={onText} />;
  }
  const isSuggested =
    ["eq", "neq", "in", "not-in", "starts"].includes(operator) && (column.type === "text" || column.type === "number");
  if (!isSuggested) return <Typed {...shared} onEnter={onPick && (() => onPick(text))} />;
  return (
    <ValueCombobox
      text={text}
      from={{ ...from, column: column.name, columnLabel: column.label }}
      isBeginning={operator === "starts"}
      isNumber={column.type === "number"}
      onText={onText}
      onPick={onPick ?? onText}
      chosen={chosen}
      placeholder={isStored && text === "" ? "empty text" : undefined}
      field={field}
    />
  );
}

const inputTypes: Partial<Record<ChartColumn["type"], string>> = { date: "date", time: "datetime-local" };

type TypedProps = OneText & { isNumber?: boolean; onEnter?: (() => void) | undefined };

function Typed({ column, operator, text, isNumber = column.type === "number", field, onText, onEnter }: TypedProps) {
  return (
    <TextField
      {...field}
      type={(!isNumber && inputTypes[column.type]) || "text"}
      inputMode={isNumber ? "decimal" : undefined}
      placeholder={operator.endsWith("contains") && column.type === "text" ? "case-sensitive" : undefined}
      maxLength={500}
      spellCheck={false}
      value={text}
      onText={onText}
      onEnter={onEnter}
    />
  );
}

function Several({ values, onValues, ...shared }: Shared & { values: string[]; onValues: (values: string[]) => void }) {
  const { field, column } = shared;
  const format = useFormat();
  // The last value is still being typed. It counts too.
  const typed = values.at(-1) ?? "";
  const chosen = values.slice(0, -1);
  const part = useRef<HTMLDivElement>(null);
  const add = (text: string) => text !== "" && onValues([...chosen, text, ""]);
  const remove = (index: number) => {
    onValues(values.toSpliced(index, 1));
    part.current?.querySelector<HTMLElement>("input, select")?.focus();
  };
  const choices = knownValues(column, format);
  if (choices) {
    const toggle = (value: string) =>
      onValues([...(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]), ""]);
    return (
      <fieldset aria-label={field["aria-label"]} className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {choices.map(([value, label]) => (
          <label key={value} className="flex items-center gap-1.5 pointer-coarse:min-h-11">
            <Checkbox
              aria-invalid={field["aria-invalid"]}
              aria-describedby={field["aria-describedby"]}
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <div ref={part} className="flex flex-col gap-1">
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {chosen.map((value, index) => (
            <Chosen
              // biome-ignore lint/suspicious/noArrayIndexKey: there may be equal values
              key={index}
              {...shared}
              text={value}
              isChecked={index < 20}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      )}
      <div className="flex gap-1">
        <One
          {...shared}
          text={typed}
          chosen={chosen}
          onText={(text) => onValues([...chosen, text])}
          onPick={add}
          field={{ ...field, "aria-label": `${field["aria-label"]}, press Enter after each` }}
        />
        <Button variant="outline" aria-disabled={typed === ""} onClick={() => add(typed)}>
          Add
        </Button>
      </div>
    </div>
  );
}

type ChosenProps = Pick<Shared, "column" | "from"> & { text: string; isChecked: boolean; onRemove: () => void };

function Chosen({ text, column, from, isChecked, onRemove }: ChosenProps) {
  const format = useFormat();
  const isNumber = column.type === "number";
  const isSuggested = isNumber || column.type === "text";
  const suggestions = useSuggestions(
    { ...from, column: column.name },
    suggestionPrefix(text, isNumber),
    isChecked && isSuggested,
  );
  const words = column.part
    ? formatGroupValue(Number(text), column, format)
    : column.type === "time"
      ? text
      : formatGroupValue(text, column, format);
  return (
    <li className="flex max-w-full items-center rounded-md border bg-primary-soft pl-2 text-sm">
      <span className="min-w-0 truncate">{words}</span>
      {isMissing(suggestions, text, { isNumber }) && (
        <span className="shrink-0 pl-1 text-warning text-xs">(no {from.record} has it)</span>
      )}
      <IconButton icon={X} label={`Remove ${words}`} className="size-7 hover:bg-transparent" onClick={onRemove} />
    </li>
  );
}
