"use client";

import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { addAndFocus } from "@/components/charts/builder/add-and-focus";
import { Problem } from "@/components/charts/builder/builder-problem";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { type Draft, goalUnit, newDerived, type Problems, problemIn } from "@/lib/charts/builder/draft";
import { derivedWords } from "@/lib/charts/builder/words";
import type { ChartMetric, DerivedNumber } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { metricLabel } from "@/lib/charts/definition/words";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";

type Display = Draft["display"];
type Props = {
  display: Display;
  /** As the definition has them. */
  metrics: ChartMetric[];
  columns: ChartColumn[];
  onDisplay: (change: Partial<Display>) => void;
};

// What there is to choose from: measures, and what is derived from them.
function numbersOf({ display: { derived }, metrics, columns }: Omit<Props, "onDisplay">) {
  const none = { source: "", groupBy: "", rows: [], recordCount: 0, groupCount: 0, generatedAt: "" };
  const all = deriveNumbers({ ...none, metrics }, { derived, hidden: [] }, columns).metrics;
  return all.map((metric) => ({ key: metric.key, label: metricLabel(metric, columns) }));
}

/** Numbers that are computed from the measures, and which of all are shown. */
export function BuilderDerived(props: Props) {
  const { display, metrics, columns, onDisplay } = props;
  const list = useRef<HTMLDivElement>(null);
  const added = useRef<HTMLButtonElement>(null);
  const { derived, hidden } = display;
  const put = (key: string, change: DerivedNumber) =>
    onDisplay({ derived: derived.map((one) => (one.key === key ? change : one)) });
  const add = () => {
    addAndFocus(list, () => onDisplay({ derived: [...derived, newDerived(metrics, derived)] }));
  };
  const remove = (key: string) => {
    onDisplay({ derived: derived.filter((one) => one.key !== key) });
    added.current?.focus();
  };
  return (
    <div ref={list} className="flex flex-col gap-2">
      {derived.map((number, index) => (
        <DerivedRow
          key={number.key}
          number={number}
          name={`derived number ${index + 1}`}
          metrics={metrics}
          columns={columns}
          label={numbersOf(props).find(({ key }) => key === number.key)?.label ?? ""}
          onChange={(change) => put(number.key, change)}
          onRemove={() => remove(number.key)}
        />
      ))}
      {derived.length > 0 && (
        <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          <legend className="float-left mr-4 text-muted-foreground">Shown</legend>
          {numbersOf(props).map(({ key, label }) => (
            <label key={key} className="flex min-w-0 items-center gap-1.5 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="size-4 accent-primary"
                checked={!hidden.includes(key)}
                onChange={() =>
                  onDisplay({ hidden: hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key] })
                }
              />
              <span className="wrap-anywhere min-w-0">{label}</span>
            </label>
          ))}
        </fieldset>
      )}
      <Button ref={added} variant="ghost" className="-ml-2 self-start px-2 text-muted-foreground" onClick={add}>
        <Plus aria-hidden />
        {derived.length === 0 ? "A rate, a sum so far, a share or a change" : "Another number from these"}
      </Button>
    </div>
  );
}

function DerivedRow({
  number,
  name,
  metrics,
  columns,
  label,
  onChange,
  onRemove,
}: {
  number: DerivedNumber;
  name: string;
  metrics: ChartMetric[];
  columns: ChartColumn[];
  /** What it is called without a name. */
  label: string;
  onChange: (number: DerivedNumber) => void;
  onRemove: () => void;
}) {
  const { kind, of } = number;
  const others = metrics.find(({ key }) => key !== of)?.key ?? of;
  const setKind = (next: string) => {
    const { key, label: words } = number;
    const same = { key, of, ...(words && { label: words }) };
    if (next === "rate") onChange({ ...same, kind: next, over: others, format: "percent" });
    if (next === "change") onChange({ ...same, kind: next, format: "percent" });
    if (next === "cumulated" || next === "share") onChange({ ...same, kind: next });
  };
  const options = metrics.map((metric) => (
    <option key={metric.key} value={metric.key}>
      {metricLabel(metric, columns)}
    </option>
  ));
  return (
    <fieldset className="flex flex-col gap-1 rounded-md border p-2">
      <legend className="sr-only first-letter:uppercase">{name}</legend>
      <div className="flex gap-1">
        <Select data-row aria-label={`What ${name} is`} value={kind} onChange={(event) => setKind(event.target.value)}>
          {Object.entries(derivedWords).map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
        </Select>
        <Select
          aria-label={`What ${name} is of`}
          value={of}
          onChange={(event) => onChange({ ...number, of: event.target.value })}
        >
          {options}
        </Select>
        <Button variant="ghost" size="icon" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X aria-hidden />
        </Button>
      </div>
      {(number.kind === "rate" || number.kind === "change") && (
        <div className="flex items-center gap-1 text-sm">
          {number.kind === "rate" && (
            <>
              <span className="text-muted-foreground">over</span>
              <Select
                aria-label={`What ${name} is over`}
                value={number.over}
                onChange={(event) => onChange({ ...number, over: event.target.value })}
              >
                {options}
              </Select>
            </>
          )}
          <Select
            aria-label={`How ${name} is written`}
            value={number.format}
            onChange={(event) =>
              onChange({ ...number, format: event.target.value === "number" ? "number" : "percent" })
            }
          >
            <option value="percent">in percent</option>
            <option value="number">as a number</option>
          </Select>
        </div>
      )}
      <Input
        aria-label={`Name of ${name}`}
        placeholder={`Called “${label}”`}
        maxLength={120}
        autoComplete="off"
        value={number.label ?? ""}
        onChange={(event) => onChange({ ...number, label: event.target.value })}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
    </fieldset>
  );
}

const counts = [3, 5, 10, 20];

/** In which order groups stand, how many of them, and a line to compare with. */
export function BuilderOrder({ groups, problems, ...props }: Props & { groups: Draft["groupBy"]; problems: Problems }) {
  const { display, metrics, columns, onDisplay } = props;
  const { order, top, goal } = display;
  const problem = problemIn(problems, "display");
  const setOrder = (value: string) => {
    const [by, direction] = value.split(" ");
    onDisplay({ order: by ? { by, descending: direction === "down" } : undefined });
  };
  const setTop = (value: string) => {
    const at = value.indexOf(" ");
    onDisplay({ top: value ? { column: value.slice(at + 1), count: Number(value.slice(0, at)) } : undefined });
  };
  const tops = groups.flatMap(({ column }) => {
    const of = columns.find(({ name, type, part }) => name === column && type !== "date" && type !== "time" && !part);
    return of
      ? counts.map((count) => ({ value: `${count} ${column}`, label: `the ${count} largest of ${of.label}` }))
      : [];
  });
  const chosen = top ? `${top.count} ${top.column}` : "";
  const shown =
    top && !tops.some(({ value }) => value === chosen) ? [{ value: chosen, label: `the ${top.count} largest` }] : [];
  const percent = goalUnit(display, metrics) === "percent";
  return (
    <div className="flex flex-col gap-2">
      {groups.length > 0 && (
        <Select
          aria-label="Order of groups"
          value={order ? `${order.by} ${order.descending ? "down" : "up"}` : ""}
          onChange={(event) => setOrder(event.target.value)}
        >
          <option value="">In the usual order</option>
          {numbersOf(props).flatMap(({ key, label }) => [
            <option key={`${key} down`} value={`${key} down`}>
              {label}: largest first
            </option>,
            <option key={`${key} up`} value={`${key} up`}>
              {label}: smallest first
            </option>,
          ])}
        </Select>
      )}
      {tops.length + shown.length > 0 && (
        <Select aria-label="How many groups" value={chosen} onChange={(event) => setTop(event.target.value)}>
          <option value="">All groups</option>
          {[...tops, ...shown].map(({ value, label }) => (
            <option key={value} value={value}>
              Only {label}, the others as one
            </option>
          ))}
        </Select>
      )}
      <div className="grid grid-cols-2 gap-1">
        <Input
          aria-label={percent ? "Goal or line to compare with, in percent" : "Goal or line to compare with"}
          aria-invalid={problem !== undefined}
          aria-describedby="goal-problem"
          placeholder={percent ? "A goal, in %" : "A goal"}
          inputMode="decimal"
          maxLength={20}
          autoComplete="off"
          value={goal.text}
          onChange={(event) => onDisplay({ goal: { ...goal, text: event.target.value } })}
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
        <Input
          aria-label="Name of the goal"
          placeholder="Called “Goal”"
          maxLength={120}
          autoComplete="off"
          value={goal.label}
          onChange={(event) => onDisplay({ goal: { ...goal, label: event.target.value } })}
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      </div>
      <Problem id="goal-problem">{problem}</Problem>
    </div>
  );
}
