import { FilterForm } from "@/components/forms/filter-form";
import { InputField } from "@/components/forms/input-field";
import { type Option, SelectField } from "@/components/forms/select-field";
import { type AccessLogFilter, type ActivityFilter, isBackwards } from "@/lib/activity/activity-filter";
import { initialFormState } from "@/lib/forms/form-state";
import { queryText } from "@/lib/query-text";

/** The kinds of changes in words. */
export const areaLabels: Record<NonNullable<ActivityFilter["area"]>, string> = {
  members: "Members",
  campaigns: "Campaigns",
  roles: "Roles and permission sets",
  signatures: "Signatures",
  invitations: "Invitations",
  requests: "Requests",
  team: "Team settings",
};
const areaOptions = Object.entries(areaLabels).map(([id, name]) => ({ id, name }));
/** The kinds of reads in words. */
export const readKindLabels: Record<NonNullable<AccessLogFilter["kind"]>, string> = {
  "sign-ins": "Sign-ins",
  exports: "Exports",
  searches: "Searches",
};
const readOptions = Object.entries(readKindLabels).map(([id, name]) => ({ id, name }));

/** Filters the activity. */
export function ActivityFilterForm({
  path,
  filter: { before: _, ...filter },
  people,
  invited,
  campaigns,
}: {
  path: string;
  filter: ActivityFilter;
  people: Option[];
  invited: Option[];
  campaigns: Option[];
}) {
  const choice = fieldPropsFor(filter);
  return (
    <FilterForm path={path} query={queryText(filter)} className={`${grid} md:grid-cols-4 xl:grid-cols-7`}>
      <InputField
        state={initialFormState}
        name="words"
        label="Search"
        type="search"
        maxLength={100}
        defaultValue={filter.words}
      />
      <SelectField {...choice("area")} label="Changes to" none="Everything" options={areaOptions} />
      <SelectField {...choice("actor")} label="Made by" none="Anyone" options={people} />
      <SelectField {...choice("subject")} label="Person affected" none="Anyone" options={[...people, ...invited]} />
      <SelectField {...choice("campaign")} label="Campaign" none="All campaigns" options={campaigns} />
      <Days {...filter} />
    </FilterForm>
  );
}

/** Filters sign-ins, exports, and searches. */
export function AccessLogFilterForm({
  path,
  filter: { before: _, ...filter },
  people,
}: {
  path: string;
  filter: AccessLogFilter;
  people: Option[];
}) {
  const choice = fieldPropsFor(filter);
  return (
    <FilterForm path={path} query={queryText(filter)} className={`${grid} md:grid-cols-4`}>
      <SelectField {...choice("kind")} label="Show" none="Everything" options={readOptions} />
      <SelectField {...choice("actor")} label="Person" none="Anyone" options={people} />
      <Days {...filter} />
    </FilterForm>
  );
}

const grid = "grid grid-cols-2 items-start";

const fieldPropsFor =
  <Filter extends object>(filter: Filter) =>
  (name: keyof Filter & string) => ({ name, defaultValue: String(filter[name] ?? "") });

function Days({ from, to }: Pick<ActivityFilter, "from" | "to">) {
  return (
    <>
      <InputField state={initialFormState} name="from" label="From" type="date" defaultValue={from} />
      <InputField
        state={initialFormState}
        name="to"
        label="To"
        type="date"
        defaultValue={to}
        found={isBackwards({ from, to }) ? "must be the same day as “From” or later" : undefined}
      />
    </>
  );
}
