"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useId, useOptimistic, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Label } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { narrows } from "@/lib/charts/definition/dashboard";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import { periods } from "@/lib/charts/definition/period";
import type { FilterChoices } from "@/lib/charts/store/dashboard";
import { queryText } from "@/lib/query-text";

const between = "between";
const offeredDays = [...periods, "last 7 days", "last 30 days"];
const noFilter = {
  days: undefined,
  from: undefined,
  to: undefined,
  county: undefined,
  clerk: undefined,
  circulator: undefined,
};

type FilterChange = { [Field in keyof DashboardFilter]: DashboardFilter[Field] | undefined };
type Choice = { field: "county" | "clerk" | "circulator"; label: string; all: string; choices: [string, string][] };

type Props = {
  path: string;
  filter: DashboardFilter;
  choices: FilterChoices;
  children: (pending: boolean) => ReactNode;
};

/**
 * The filter of all charts on a dashboard. It is part of the address, so that it can be shared; the charts follow each
 * choice. `children` get whether they are still following.
 */
export function FilterBar({ path, filter: stored, choices, children }: Props) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [filter, setFilter] = useOptimistic(stored);
  const hasEnds = filter.from !== undefined || filter.to !== undefined;
  const [choosesEnds, setChoosesEnds] = useState(hasEnds);
  const id = useId();

  const put = (change: FilterChange) =>
    startTransition(() => {
      const next = { ...filter, ...change };
      setFilter(next);
      router.replace(path + queryText(next), { scroll: false });
    });
  const chooseDays = (chosen: string) => {
    setChoosesEnds(chosen === between);
    if (chosen !== between) put({ days: chosen || undefined, from: undefined, to: undefined });
    else if (filter.days !== undefined) put({ days: undefined });
  };
  // While a year is typed it is an ancient one.
  const chooseEnd = (end: "from" | "to", day: string) => {
    if (day === "" || day >= "2000") put({ [end]: day || undefined });
  };
  const clear = () => {
    setChoosesEnds(false);
    put(noFilter);
  };
  const named = (names: string[]) => names.map((name): [string, string] => [name, name]);
  const fields: Choice[] = [
    {
      field: "county",
      label: "County",
      all: "All counties",
      choices: [...named(choices.counties), ["", "not given"]],
    },
    {
      field: "clerk",
      label: "Clerk",
      all: "All clerks",
      choices: choices.clerks.map(({ id: clerk, name }) => [clerk, name]),
    },
    { field: "circulator", label: "Circulator", all: "All circulators", choices: named(choices.circulators) },
  ];

  return (
    <>
      <section
        aria-label="Filter all charts"
        className="grid grid-cols-2 items-end gap-x-3 gap-y-2 sm:flex sm:flex-wrap print:hidden"
      >
        <div className="flex flex-col gap-1 sm:w-40">
          <Label htmlFor={id}>Entered</Label>
          <Select
            id={id}
            value={choosesEnds || hasEnds ? between : (filter.days ?? "")}
            onChange={({ target }) => chooseDays(target.value)}
          >
            <option value="">any day</option>
            {[...new Set([...offeredDays, ...(filter.days ? [filter.days] : [])])].map((period) => (
              <option key={period}>{period}</option>
            ))}
            <option value={between}>between two days</option>
          </Select>
        </div>
        {(choosesEnds || hasEnds) && (
          <div className="col-span-2 flex items-end gap-3">
            <DayField label="First day" value={filter.from} onDay={(day) => chooseEnd("from", day)} />
            <DayField label="Last day" value={filter.to} onDay={(day) => chooseEnd("to", day)} />
          </div>
        )}
        {fields.map((one) => (
          <ChoiceField
            key={one.field}
            {...one}
            value={filter[one.field]}
            onChoose={(value) => put({ [one.field]: value })}
          />
        ))}
        {narrows(filter) && (
          <Button variant="ghost" onClick={clear}>
            <X aria-hidden />
            Clear
          </Button>
        )}
      </section>
      {children(pending)}
    </>
  );
}

type DayProps = { label: string; value: string | undefined; onDay: (day: string) => void };

// Shows what is typed until the address has another day, as a half-typed day isn't one yet.
function DayField({ label, value = "", onDay }: DayProps) {
  const id = useId();
  const [typed, setTyped] = useState({ value, day: value });
  if (typed.value !== value) setTyped({ value, day: value });
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      <Label htmlFor={id}>{label}</Label>
      <Input
        id={id}
        type="date"
        value={typed.day}
        onChange={({ target }) => {
          setTyped({ value, day: target.value });
          onDay(target.value);
        }}
      />
    </div>
  );
}

type ChoiceProps = Choice & { value: string | undefined; onChoose: (value: string | undefined) => void };

const optionOf = (value: string) => `=${value}`; // the empty text is "all"

function ChoiceField({ field, label, all, choices, value, onChoose }: ChoiceProps) {
  const id = useId();
  const isKnown = value === undefined || choices.some(([one]) => one === value);
  return (
    <div className="flex min-w-0 flex-col gap-1 sm:w-40">
      <Label htmlFor={id}>{label}</Label>
      <Select
        id={id}
        value={value === undefined ? "" : optionOf(value)}
        onChange={({ target }) => onChoose(target.value === "" ? undefined : target.value.slice(1))}
      >
        <option value="">{all}</option>
        {!isKnown && <option value={optionOf(value)}>{field === "clerk" ? "someone else" : value}</option>}
        {choices.map(([one, words]) => (
          <option key={one} value={optionOf(one)}>
            {words}
          </option>
        ))}
      </Select>
    </div>
  );
}
