import { FilterForm } from "@/components/forms/filter-form";
import { InputField } from "@/components/forms/input-field";
import { SelectField } from "@/components/forms/select-field";
import { FindKey } from "@/components/signatures/register/register-keys";
import { registerPath } from "@/components/signatures/register/register-path";
import { capitalized } from "@/lib/format/text";
import { unsent } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import { queryText } from "@/lib/query-text";
import {
  defaultSort,
  type RegisterFilter,
  type RegisterOrder,
  type RegisterView,
} from "@/lib/signatures/register/filter";
import type { RegisterChoices } from "@/lib/signatures/register/register";
import { verdicts, verdictWords } from "@/lib/signatures/verdicts";

const sorts: Record<RegisterOrder, [ascending: string, descending: string]> = {
  entered: ["Oldest entered", "Newest entered"],
  signed: ["Oldest signed", "Newest signed"],
  sheet: ["Sheet and line", "Last sheet first"],
  name: ["Name, A to Z", "Name, Z to A"],
  verdict: ["Verdict, A to Z", "Verdict, Z to A"],
  clerk: ["Clerk, A to Z", "Clerk, Z to A"],
};
const sortOptions = Object.entries(sorts).flatMap(([order, [ascending, descending]]) => [
  { id: order, name: ascending },
  { id: `-${order}`, name: descending },
]);
const verdictOptions = [
  { id: "not-blank", name: "All but blank" },
  ...verdicts.map((verdict) => ({ id: verdict, name: capitalized(verdictWords[verdict]) })),
];
const stateOptions = [
  { id: "all", name: "Include" },
  { id: "removed", name: "Only" },
];

/** Filters and sorts the register. */
export function RegisterFilterForm({
  place,
  filter,
  sort = defaultSort,
  choices: { clerks, circulators },
}: {
  place: CampaignOfTeam;
  filter: RegisterFilter;
  sort: RegisterView["sort"];
  choices: RegisterChoices;
}) {
  const path = registerPath(place);
  const query = queryText(filter);
  const { enteredFrom, enteredTo, signedFrom, signedTo, circulator, county, state } = filter;
  const more = [enteredFrom, enteredTo, signedFrom, signedTo, circulator, county, state];
  const input = (name: keyof RegisterFilter) => ({
    state: unsent,
    name,
    defaultValue: filter[name],
    spellCheck: false,
  });
  const select = (name: keyof RegisterFilter) => ({ name, defaultValue: filter[name] ?? "" });
  return (
    <FilterForm path={path} query={query} sort={sort} className="@container flex flex-col px-4 py-3 md:px-6">
      <FindKey />
      <div className={fields}>
        <InputField {...input("name")} label="Name" maxLength={200} />
        <InputField {...input("voter")} label="Voter ID" maxLength={64} />
        <InputField {...input("sheet")} label="Sheet" inputMode="numeric" pattern="[1-9][0-9]{0,5}" />
        <SelectField {...select("verdict")} label="Verdict" none="All" options={verdictOptions} />
        <SelectField
          {...select("clerk")}
          label="Entered by"
          none="Anyone"
          options={clerks.map(({ id, name }) => ({ id, name: name ?? "A deleted account" }))}
        />
        <SelectField name="sort" label="Order" defaultValue={sort} options={sortOptions} />
      </div>
      <details open={more.some((value) => value !== undefined)}>
        <summary className="w-fit cursor-pointer py-1 text-muted-foreground text-sm hover:text-foreground pointer-coarse:py-3">
          Dates, circulator, county, removed lines
        </summary>
        <div className={fields}>
          <InputField {...input("enteredFrom")} label="Entered from" type="date" />
          <InputField {...input("enteredTo")} label="Entered to" type="date" />
          <InputField {...input("signedFrom")} label="Signed from" type="date" />
          <InputField {...input("signedTo")} label="Signed to" type="date" />
          <SelectField
            {...select("circulator")}
            label="Circulator"
            none="Anyone"
            options={circulators.map((name) => ({ id: name, name }))}
          />
          <InputField {...input("county")} label="County" maxLength={200} />
          <SelectField {...select("state")} label="Removed lines" none="Hide" options={stateOptions} />
        </div>
      </details>
    </FilterForm>
  );
}

const fields = "grid grid-cols-2 items-end gap-x-3 gap-y-2 @xl:grid-cols-3 @4xl:grid-cols-6";
