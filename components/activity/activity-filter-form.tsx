import Form from "next/form";
import { FilterButtons } from "@/components/forms/filter-buttons";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { ActivityFilter, activityAreas } from "@/lib/activity/activity-filter";
import { queryText } from "@/lib/query-text";

type Option = { id: string; name: string };

const areas: Record<keyof typeof activityAreas, string> = {
  members: "Members",
  campaigns: "Campaigns",
  roles: "Roles and sets",
  signatures: "Lines of sheets",
  invitations: "Invitations",
  requests: "Requests",
  team: "The team",
};
const areaOptions = Object.entries(areas).map(([id, name]) => ({ id, name }));

/** Narrows the activity; the filter stands in the address, so that it can be sent to somebody. */
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
  const query = queryText(filter);
  return (
    // Made anew with each filter: fields keep what they were made with.
    <Form
      key={query}
      action={path}
      prefetch={false}
      scroll={false}
      aria-label="Filter"
      className="grid grid-cols-2 items-end gap-x-3 gap-y-2 md:grid-cols-3 xl:grid-cols-6"
    >
      <Choice name="area" label="Kind" all="All kinds" options={areaOptions} value={filter.area} />
      <Choice name="actor" label="Done by" all="Anybody" options={people} value={filter.actor} />
      <Choice name="subject" label="About" all="Anybody" options={people} value={filter.subject} />
      <Choice name="campaign" label="Campaign" all="All campaigns" options={campaigns} value={filter.campaign} />
      <Day name="from" label="From" value={filter.from} />
      <Day name="to" label="To" value={filter.to} />
      <FilterButtons path={path} query={query} />
    </Form>
  );
}

function Choice({
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

function Day({ name, label, value }: { name: string; label: string; value: string | undefined }) {
  return (
    <Field id={`filter-${name}`} label={label}>
      <Input id={`filter-${name}`} name={name} type="date" defaultValue={value} />
    </Field>
  );
}
