"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useId, useOptimistic, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Select } from "@/components/ui/select";
import { narrows } from "@/lib/charts/definition/dashboard";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import { periods } from "@/lib/charts/definition/period";
import type { FilterChoices } from "@/lib/charts/store/dashboard";
import { queryText } from "@/lib/query-text";

const between = "between";
const offeredDays = [...periods, "last 7 days", "last 30 days"];
const given = (value: string) => `=${value}`; // the empty text is "all"

/**
 * What all charts of a dashboard are narrowed to. It stands in the address, so that it can be sent on; the charts follow
 * each choice. `children` are given whether they still do.
 */
export function FilterBar({
  path,
  filter: stored,
  choices,
  children,
}: {
  path: string;
  filter: DashboardFilter;
  choices: FilterChoices;
  children: (pending: boolean) => ReactNode;
}) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [filter, setFilter] = useOptimistic(stored);
  const hasEnds = filter.from !== undefined || filter.to !== undefined;
  const [choosesEnds, setChoosesEnds] = useState(hasEnds);
  const days = useId();

  const put = (change: { [Field in keyof DashboardFilter]: DashboardFilter[Field] | undefined }) =>
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
  // While a year is typed it is one of antiquity.
  const chooseEnd = (end: "from" | "to", day: string) => {
    if (day === "" || day >= "2000") put({ [end]: day || undefined });
  };
  const clerks = choices.clerks.map(({ id, name }): [string, string] => [id, name]);
  const counties = [...choices.counties.map((name): [string, string] => [name, name]), ["", "not given"] as const];

  return (
    <>
      <section
        aria-label="Filter of all charts"
        className="grid grid-cols-2 items-end gap-x-3 gap-y-2 sm:flex sm:flex-wrap print:hidden"
      >
        <div className="flex flex-col gap-1 sm:w-40">
          <Label htmlFor={days}>Keyed</Label>
          <Select
            id={days}
            value={choosesEnds || hasEnds ? between : (filter.days ?? "")}
            onChange={({ target }) => chooseDays(target.value)}
          >
            <option value="">on any day</option>
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
        <Choice
          label="County"
          all="All counties"
          choices={counties}
          value={filter.county}
          onPut={(value) => put({ county: value })}
        />
        <Choice
          label="Clerk"
          all="All clerks"
          choices={clerks}
          value={filter.clerk}
          onPut={(value) => put({ clerk: value })}
        />
        <Choice
          label="Circulator"
          all="All circulators"
          choices={choices.circulators.map((name) => [name, name])}
          value={filter.circulator}
          onPut={(value) => put({ circulator: value })}
        />
        {narrows(filter) && (
          <Button
            variant="ghost"
            onClick={() => {
              setChoosesEnds(false);
              put({
                days: undefined,
                from: undefined,
                to: undefined,
                county: undefined,
                clerk: undefined,
                circulator: undefined,
              });
            }}
          >
            <X aria-hidden />
            Clear
          </Button>
        )}
      </section>
      {children(pending)}
    </>
  );
}

// Shows what is typed, until the address says another day: what is half typed is none yet.
function DayField({
  label,
  value = "",
  onDay,
}: {
  label: string;
  value: string | undefined;
  onDay: (day: string) => void;
}) {
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

function Choice({
  label,
  all,
  choices,
  value,
  onPut,
}: {
  label: string;
  all: string;
  choices: readonly (readonly [value: string, words: string])[];
  value: string | undefined;
  onPut: (value: string | undefined) => void;
}) {
  const id = useId();
  const known = value === undefined || choices.some(([one]) => one === value);
  return (
    <div className="flex min-w-0 flex-col gap-1 sm:w-40">
      <Label htmlFor={id}>{label}</Label>
      <Select
        id={id}
        value={value === undefined ? "" : given(value)}
        onChange={({ target }) => onPut(target.value === "" ? undefined : target.value.slice(1))}
      >
        <option value="">{all}</option>
        {!known && <option value={given(value)}>{label === "Clerk" ? "somebody else" : value}</option>}
        {choices.map(([one, words]) => (
          <option key={one} value={given(one)}>
            {words}
          </option>
        ))}
      </Select>
    </div>
  );
}
