import Form from "next/form";
import { ChoiceField, DayField, type Option } from "@/components/activity/filter-fields";
import { FilterButtons } from "@/components/forms/filter-buttons";
import type { ReadsFilter } from "@/lib/activity/activity-filter";
import { queryText } from "@/lib/query-text";

const kindOptions = [
  { id: "exports", name: "Exports" },
  { id: "searches", name: "Searches" },
];

/** Narrows exports and searches; the address has the filter. */
export function ReadsFilterForm({
  path,
  filter: { before: _, ...filter },
  people,
}: {
  path: string;
  filter: ReadsFilter;
  people: Option[];
}) {
  const query = queryText(filter);
  return (
    // Made anew with each filter: fields keep what they were made with.
    <Form
      key={query}
      action={path}
      prefetch={false}
      scroll={false}
      aria-label="Filter"
      className="grid grid-cols-2 items-end gap-x-3 gap-y-2 md:grid-cols-4"
    >
      <ChoiceField name="kind" label="Kind" all="Both" options={kindOptions} value={filter.kind} />
      <ChoiceField name="actor" label="Done by" all="Anyone" options={people} value={filter.actor} />
      <DayField name="from" label="From" value={filter.from} />
      <DayField name="to" label="To" value={filter.to} />
      <FilterButtons path={path} query={query} hasFile={false} />
    </Form>
  );
}
