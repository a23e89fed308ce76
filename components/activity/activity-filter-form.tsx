import Form from "next/form";
import { ChoiceField, DayField, type Option } from "@/components/activity/filter-fields";
import { FilterButtons } from "@/components/forms/filter-buttons";
import type { ActivityFilter, activityAreas } from "@/lib/activity/activity-filter";
import { queryText } from "@/lib/query-text";

/** The kinds of changes in words. */
export const areaWords: Record<keyof typeof activityAreas, string> = {
  members: "Members",
  campaigns: "Campaigns",
  roles: "Roles and sets",
  signatures: "Lines of sheets",
  invitations: "Invitations",
  requests: "Requests",
  team: "The team",
};
const areaOptions = Object.entries(areaWords).map(([id, name]) => ({ id, name }));

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
      <ChoiceField name="area" label="Kind" all="All kinds" options={areaOptions} value={filter.area} />
      <ChoiceField name="actor" label="Done by" all="Anybody" options={people} value={filter.actor} />
      <ChoiceField name="subject" label="About" all="Anybody" options={people} value={filter.subject} />
      <ChoiceField name="campaign" label="Campaign" all="All campaigns" options={campaigns} value={filter.campaign} />
      <DayField name="from" label="From" value={filter.from} />
      <DayField name="to" label="To" value={filter.to} />
      <FilterButtons path={path} query={query} />
    </Form>
  );
}
