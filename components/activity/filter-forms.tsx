import Form from "next/form";
import type { ReactNode } from "react";
import { FilterButtons } from "@/components/forms/filter-buttons";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { ActivityFilter, activityAreas, ReadsFilter } from "@/lib/activity/activity-filter";
import { queryText } from "@/lib/query-text";
import { cn } from "@/lib/utils";

type Option = { id: string; name: string };

/** The kinds of changes in words. */
export const areaWords: Record<keyof typeof activityAreas, string> = {
  members: "Members",
  campaigns: "Campaigns",
  roles: "Roles and sets",
  signatures: "Signatures",
  invitations: "Invitations",
  requests: "Requests",
  team: "Team settings",
};
const areaOptions = Object.entries(areaWords).map(([id, name]) => ({ id, name }));

/** Filters the activity. The address has the filter, so it can be shared. */
export function ActivityFilterForm({
  path,
  filter: { before: _, ...filter },
  people,
  campaigns,
}: {
  path: string;
  filter: ActivityFilter;
  people: Option[];
  campaigns: Option[];
}) {
  return (
    <FilterForm path={path} filter={filter} className="md:grid-cols-3 xl:grid-cols-6">
      <ChoiceField name="area" label="Kind" all="All kinds" options={areaOptions} value={filter.area} />
      <ChoiceField name="actor" label="Done by" all="Anyone" options={people} value={filter.actor} />
      <ChoiceField name="subject" label="About" all="Anyone" options={people} value={filter.subject} />
      <ChoiceField name="campaign" label="Campaign" all="All campaigns" options={campaigns} value={filter.campaign} />
    </FilterForm>
  );
}

const readOptions = [
  { id: "exports", name: "Exports" },
  { id: "searches", name: "Searches" },
];

/** Filters exports and searches. */
export function ReadsFilterForm({
  path,
  filter: { before: _, ...filter },
  people,
}: {
  path: string;
  filter: ReadsFilter;
  people: Option[];
}) {
  return (
    <FilterForm path={path} filter={filter} hasFile={false} className="md:grid-cols-4">
      <ChoiceField name="kind" label="Kind" all="Both" options={readOptions} value={filter.kind} />
      <ChoiceField name="actor" label="Done by" all="Anyone" options={people} value={filter.actor} />
    </FilterForm>
  );
}

function FilterForm({
  path,
  filter,
  hasFile = true,
  className,
  children,
}: {
  path: string;
  filter: Record<string, string | undefined> & { from?: string | undefined; to?: string | undefined };
  hasFile?: boolean;
  className: string;
  children: ReactNode;
}) {
  const query = queryText(filter);
  return (
    // The key resets the fields, which keep their first default value, with each filter.
    <Form
      key={query}
      action={path}
      prefetch={false}
      scroll={false}
      aria-label="Filter"
      className={cn("grid grid-cols-2 items-end gap-x-3 gap-y-2", className)}
    >
      {children}
      <DayField name="from" label="From" value={filter.from} />
      <DayField name="to" label="To" value={filter.to} />
      <FilterButtons path={path} query={query} hasFile={hasFile} />
    </Form>
  );
}

function ChoiceField({
  name,
  label,
  all,
  options,
  value,
}: {
  name: string;
  label: string;
  all: string;
  options: Option[];
  value: string | undefined;
}) {
  return (
    <Field id={`filter-${name}`} label={label}>
      <Select id={`filter-${name}`} name={name} defaultValue={value ?? ""}>
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function DayField({ name, label, value }: { name: string; label: string; value: string | undefined }) {
  return (
    <Field id={`filter-${name}`} label={label}>
      <Input id={`filter-${name}`} name={name} type="date" defaultValue={value} />
    </Field>
  );
}
