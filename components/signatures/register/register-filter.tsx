import Form from "next/form";
import type { ReactNode } from "react";
import { FilterButtons } from "@/components/forms/filter-buttons";
import { FindKey } from "@/components/signatures/register/register-keys";
import { registerPath } from "@/components/signatures/register/register-path";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { capitalized } from "@/lib/format/text";
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
  entered: ["Entered, oldest first", "Entered, newest first"],
  signed: ["Signed, oldest first", "Signed, newest first"],
  sheet: ["Sheet and line", "Sheet and line, last first"],
  name: ["Name, A to Z", "Name, Z to A"],
  verdict: ["Verdict, A to Z", "Verdict, Z to A"],
  clerk: ["Clerk, A to Z", "Clerk, Z to A"],
};

/** Filters and sorts the register. Everything is in the address: it works without JavaScript, and Back keeps it. */
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
  const typed = (name: "name" | "voter" | "sheet" | "county", label: string, props: TypedProps) => (
    <Typed name={name} label={label} value={filter[name]} {...props} />
  );
  const day = (name: "enteredFrom" | "enteredTo" | "signedFrom" | "signedTo", label: string) => (
    <Typed name={name} label={label} value={filter[name]} type="date" />
  );
  return (
    // Fields keep their first default: a new filter needs a new form.
    <Form
      key={`${query} ${sort}`}
      action={path}
      prefetch={false}
      scroll={false}
      aria-label="Filter"
      className="@container flex flex-col gap-2 px-4 py-3 md:px-6"
    >
      <FindKey fieldId="filter-name" />
      <div className={fields}>
        {typed("name", "Name", { maxLength: 200 })}
        {typed("voter", "Voter ID", { maxLength: 64 })}
        {typed("sheet", "Sheet", { inputMode: "numeric", pattern: "[1-9][0-9]{0,5}" })}
        <Choice name="verdict" label="Verdict" value={filter.verdict} all="All">
          {verdicts.map((verdict) => (
            <option key={verdict} value={verdict}>
              {capitalized(verdictWords[verdict])}
            </option>
          ))}
        </Choice>
        <Choice name="clerk" label="Entered by" value={filter.clerk} all="Anyone">
          {clerks.map(({ id, name }) => (
            <option key={id} value={id}>
              {name ?? "A deleted account"}
            </option>
          ))}
        </Choice>
        <Choice name="sort" label="Order" value={sort}>
          {Object.entries(sorts).flatMap(([order, [ascending, descending]]) => [
            <option key={order} value={order}>
              {ascending}
            </option>,
            <option key={`-${order}`} value={`-${order}`}>
              {descending}
            </option>,
          ])}
        </Choice>
      </div>
      <details open={more.some((value) => value !== undefined)}>
        <summary className="w-fit cursor-pointer py-1 text-muted-foreground text-sm hover:text-foreground pointer-coarse:py-3">
          Dates, circulator, county, removed lines
        </summary>
        <div className={fields}>
          {day("enteredFrom", "Entered from")}
          {day("enteredTo", "Entered to")}
          {day("signedFrom", "Signed from")}
          {day("signedTo", "Signed to")}
          <Choice name="circulator" label="Circulator" value={circulator} all="Anyone">
            {circulators.map((circulator) => (
              <option key={circulator}>{circulator}</option>
            ))}
          </Choice>
          {typed("county", "County", { maxLength: 200 })}
          <Choice name="state" label="Removed lines" value={state} all="Hide">
            <option value="all">Include</option>
            <option value="removed">Only</option>
          </Choice>
        </div>
      </details>
      <FilterButtons path={path} query={query} />
    </Form>
  );
}

const fields = "grid grid-cols-2 items-end gap-x-3 gap-y-2 @xl:grid-cols-3 @4xl:grid-cols-6";

type TypedProps = { type?: "date"; inputMode?: "numeric"; pattern?: string; maxLength?: number };

function Typed({
  name,
  label,
  value,
  ...input
}: TypedProps & { name: string; label: string; value: string | number | undefined }) {
  return (
    <Field id={`filter-${name}`} label={label}>
      <Input id={`filter-${name}`} name={name} defaultValue={value} autoComplete="off" spellCheck={false} {...input} />
    </Field>
  );
}

/** A list to choose from; `all` is the text of no choice, without which there always is one. */
function Choice({
  name,
  label,
  value = "",
  all,
  children,
}: {
  name: string;
  label: string;
  value: string | undefined;
  all?: string;
  children: ReactNode;
}) {
  return (
    <Field id={`filter-${name}`} label={label}>
      <Select id={`filter-${name}`} name={name} defaultValue={value}>
        {all && <option value="">{all}</option>}
        {children}
      </Select>
    </Field>
  );
}
