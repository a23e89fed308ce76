"use client";

import { Plus, X } from "lucide-react";
import { useId, useRef } from "react";
import { addAndFocus } from "@/components/charts/builder/add-and-focus";
import { Problem } from "@/components/charts/builder/builder-problem";
import { takesPeriods, takesValues, ValueField } from "@/components/charts/builder/value-field";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { type Problems, problemIn } from "@/lib/charts/builder/draft";
import {
  type DraftFilter,
  type DraftOperator,
  filtersOf,
  newFilter,
  touched,
  unfinishedPart,
} from "@/lib/charts/builder/draft-filters";
import { operatorChoices } from "@/lib/charts/builder/words";
import { isPeriod } from "@/lib/charts/definition/period";
import type { ChartColumn, ChartSource } from "@/lib/charts/definition/source";

/** What the parts of the builder share: all columns of the source, and the names of those that are offered. */
export type BuilderShared = {
  columns: ChartColumn[];
  offered: ReadonlySet<string>;
  source: ChartSource | undefined;
  dashboard: string;
  problems: Problems;
};

/**
 * Filters that a record has to pass, all of them. Each offers only the operators that fit its column's type. `part` is
 * where they stand in the definition, `named` what each is called.
 */
export function BuilderFilters({
  filters,
  part,
  named,
  addWords,
  onFilters,
  ...shared
}: BuilderShared & {
  filters: DraftFilter[];
  part: string;
  named: (number: number) => string;
  addWords: string;
  onFilters: (filters: DraftFilter[]) => void;
}) {
  const { problems } = shared;
  const list = useRef<HTMLDivElement>(null);
  const added = useRef<HTMLButtonElement>(null);
  const starts = filters.map((_, index) => filters.slice(0, index).reduce((sum, one) => sum + filtersOf(one), 0));
  const put = (id: number, change: Partial<DraftFilter>) =>
    onFilters(filters.map((filter) => (filter.id === id ? touched(filter, change) : filter)));

  const problemOf = (filter: DraftFilter, start: number) =>
    Array.from({ length: filtersOf(filter) }, (_, at) => problemIn(problems, `${part}.${start + at}`)).find(Boolean);

  const add = () => {
    addAndFocus(list, () => onFilters([...filters, newFilter()]));
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
          {...shared}
          problem={problems.get(unfinishedPart(filter)) ?? problemOf(filter, starts[index] ?? 0)}
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
  offered,
  source,
  dashboard,
  problem,
  name,
  onChange,
  onRemove,
}: Omit<BuilderShared, "problems"> & {
  filter: DraftFilter;
  problem: string | undefined;
  name: string;
  onChange: (change: Partial<DraftFilter>) => void;
  onRemove: () => void;
}) {
  const id = useId();
  const known = columns.find(({ name }) => name === filter.column);
  const column = known ?? { name: filter.column, label: filter.column, type: "text" as const, part: null };
  const { type } = column;
  const choices = operatorChoices(type, filter.operator);

  const setColumn = (name: string) => {
    const next = columns.find((one) => one.name === name);
    const fits = next?.type === type && next.part?.unit === column.part?.unit;
    const [usual] = operatorChoices(next?.type ?? "text");
    onChange({ column: name, values: [""], operator: fits ? filter.operator : (usual?.operator ?? "eq") });
  };
  const setOperator = (operator: DraftOperator) => {
    const fit = takesValues(operator) && takesValues(filter.operator);
    const kept = filter.values.filter((text) => fit && (takesPeriods(operator, type) || !isPeriod(text)));
    const [first = "", second = ""] = kept;
    onChange({
      operator,
      values: operator === "between" ? [first, second] : operator === "in" ? [...kept.filter(Boolean), ""] : [first],
    });
  };

  // Days, weeks and months are chosen as days from … to: of the whole, or where that is not offered, of its days.
  const isOffered = ({ name, part }: ChartColumn) =>
    name === filter.column ||
    (offered.has(name) &&
      (!part || part.unit === "weekday" || part.unit === "hour" || (part.unit === "day" && !offered.has(part.of))));

  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-1">
        <Select
          data-row
          aria-label={`Column of ${name}`}
          aria-invalid={filter.column === "" && problem !== undefined}
          aria-describedby={id}
          className={filter.column === "" ? "col-span-2" : ""}
          value={filter.column}
          onChange={(event) => setColumn(event.target.value)}
        >
          {known === undefined && <option value={filter.column}>{filter.column || "Choose a column …"}</option>}
          {columns.filter(isOffered).map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </Select>
        {filter.column !== "" && (
          <>
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
            <div className="order-last col-span-2 empty:hidden">
              <ValueField
                filter={filter}
                column={column}
                from={{ dashboard, source: source?.name ?? "", record: recordWord(source) }}
                onValues={(values) => onChange({ values })}
                label={`Value of ${name}`}
                invalid={problem !== undefined}
                describedBy={id}
              />
            </div>
          </>
        )}
        <Button variant="ghost" size="icon" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X aria-hidden />
        </Button>
      </div>
      <Problem id={id}>{problem}</Problem>
    </div>
  );
}

// What one record is called in words: a signature, a line.
const recordWord = (source: ChartSource | undefined) =>
  /^[A-Z][a-z]+s$/.test(source?.label ?? "") ? (source?.label.slice(0, -1).toLowerCase() ?? "record") : "record";
