"use client";

import { Plus, X } from "lucide-react";
import { useId, useRef } from "react";
import { Problem } from "@/components/charts/builder/builder-problem";
import { takesPeriods, ValueField } from "@/components/charts/builder/value-field";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import {
  type DraftFilter,
  type DraftOperator,
  filtersOf,
  newFilter,
  type Problems,
  problemIn,
  touched,
} from "@/lib/charts/builder-draft";
import { operatorChoices } from "@/lib/charts/builder-words";
import type { ChartColumn } from "@/lib/charts/chart-source";
import { isPeriod } from "@/lib/charts/period";

/**
 * Filters that a record has to pass, all of them. Each offers only the operators that fit its column's type. `part` is
 * where they stand in the definition, `named` what each is called.
 */
export function BuilderFilters({
  filters,
  columns,
  source,
  dashboard,
  problems,
  part,
  named,
  addWords,
  onFilters,
}: {
  filters: DraftFilter[];
  columns: ChartColumn[];
  source: string;
  dashboard: string;
  problems: Problems;
  part: string;
  named: (number: number) => string;
  addWords: string;
  onFilters: (filters: DraftFilter[]) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const added = useRef<HTMLButtonElement>(null);
  const starts = filters.map((_, index) => filters.slice(0, index).reduce((sum, one) => sum + filtersOf(one), 0));
  const put = (id: number, change: Partial<DraftFilter>) =>
    onFilters(filters.map((filter) => (filter.id === id ? touched(filter, change) : filter)));

  const add = () => {
    const column = columns[0];
    if (!column) return;
    onFilters([...filters, newFilter(column.name)]);
    requestAnimationFrame(() => [...(list.current?.querySelectorAll("select") ?? [])].at(-2)?.focus());
  };
  const remove = (id: number) => {
    onFilters(filters.filter((filter) => filter.id !== id));
    added.current?.focus();
  };

  return (
    <div ref={list} className="flex flex-col gap-2">
      {filters.map((filter, index) => (
        <FilterRow
          key={filter.id}
          filter={filter}
          columns={columns}
          source={source}
          dashboard={dashboard}
          problem={
            problemIn(problems, `${part}.${starts[index]}`) ??
            (filter.operator === "between" ? problemIn(problems, `${part}.${(starts[index] ?? 0) + 1}`) : undefined)
          }
          name={named(index + 1)}
          onChange={(change) => put(filter.id, change)}
          onRemove={() => remove(filter.id)}
        />
      ))}
      <Button ref={added} variant="ghost" className="-ml-2 self-start px-2 text-muted-foreground" onClick={add}>
        <Plus aria-hidden />
        {addWords}
      </Button>
    </div>
  );
}

function FilterRow({
  filter,
  columns,
  source,
  dashboard,
  problem,
  name,
  onChange,
  onRemove,
}: {
  filter: DraftFilter;
  columns: ChartColumn[];
  source: string;
  dashboard: string;
  problem: string | undefined;
  name: string;
  onChange: (change: Partial<DraftFilter>) => void;
  onRemove: () => void;
}) {
  const id = useId();
  const column = columns.find(({ name }) => name === filter.column) ?? { type: "text" as const };
  const { type } = column;
  const choices = operatorChoices(type);

  const setColumn = (name: string) => {
    const next = columns.find((one) => one.name === name)?.type ?? "text";
    const fits = operatorChoices(next).some(({ operator }) => operator === filter.operator);
    if (fits && next === type) onChange({ column: name });
    else
      onChange({
        column: name,
        operator: fits && filter.operator !== "between" ? filter.operator : "eq",
        values: [""],
      });
  };
  const setOperator = (operator: DraftOperator) => {
    const kept = filter.values.filter((text) => takesPeriods(operator, type) || !isPeriod(text));
    const [first = "", second = ""] = kept;
    onChange({ operator, values: operator === "between" ? [first, second] : operator === "in" ? kept : [first] });
  };

  // Days, weeks and months are chosen as days from … to.
  const isOffered = ({ name, part }: ChartColumn) =>
    name === filter.column || !part || part.unit === "weekday" || part.unit === "hour";

  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-1">
        <Select
          aria-label={`Column of ${name}`}
          value={filter.column}
          onChange={(event) => setColumn(event.target.value)}
        >
          {columns.filter(isOffered).map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </Select>
        <Select
          aria-label={`Operator of ${name}`}
          value={filter.operator}
          onChange={(event) => {
            const chosen = choices.find(({ operator }) => operator === event.target.value);
            if (chosen) setOperator(chosen.operator);
          }}
        >
          {choices.map(({ operator, words }) => (
            <option key={operator} value={operator}>
              {words}
            </option>
          ))}
        </Select>
        <div className="col-span-2 empty:hidden">
          <ValueField
            filter={filter}
            column={column}
            from={{ dashboard, source, column: filter.column }}
            onValues={(values) => onChange({ values })}
            label={`Value of ${name}`}
            invalid={problem !== undefined}
            describedBy={id}
          />
        </div>
        <Button
          variant="ghost"
          size="icon"
          className="col-start-3 row-start-1"
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          <X aria-hidden />
        </Button>
      </div>
      <Problem id={id}>{problem}</Problem>
    </div>
  );
}
