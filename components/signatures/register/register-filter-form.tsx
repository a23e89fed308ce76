import Form from "next/form";
import type { ReactNode } from "react";
import { FilterButtons } from "@/components/forms/filter-buttons";
import { FindKey } from "@/components/signatures/register/find-key";
import { registerPath } from "@/components/signatures/register/register-path";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { CampaignOfTeam } from "@/lib/ids";
import { queryText } from "@/lib/query-text";
import {
  type RegisterFilter,
  type RegisterOrder,
  type RegisterView,
  usualSort,
} from "@/lib/signatures/register/filter";
import type { RegisterChoices } from "@/lib/signatures/register/register";
import { verdicts, verdictWords } from "@/lib/signatures/verdicts";

const sorts: Record<RegisterOrder, { up: string; down: string }> = {
  keyed: { up: "Keyed, oldest first", down: "Keyed, newest first" },
  signed: { up: "Signed, oldest first", down: "Signed, newest first" },
  paper: { up: "Sheet and line", down: "Sheet and line, last first" },
  name: { up: "Name", down: "Name, from Z" },
  verdict: { up: "Verdict", down: "Verdict, from Z" },
  clerk: { up: "Clerk", down: "Clerk, from Z" },
};

/** Narrows and orders the register. All of it stands in the address: it works without JavaScript, and Back keeps it. */
export function RegisterFilterForm({
  place,
  filter,
  sort = usualSort,
  choices: { clerks, circulators },
}: {
  place: CampaignOfTeam;
  filter: RegisterFilter;
  sort: RegisterView["sort"];
  choices: RegisterChoices;
}) {
  const path = registerPath(place);
  const query = queryText(filter);
  const { keyedFrom, keyedTo, signedFrom, signedTo, circulator, county, state } = filter;
  const more = [keyedFrom, keyedTo, signedFrom, signedTo, circulator, county, state];
  return (
    // Made anew with each filter: fields keep what they were made with.
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
        <Typed name="name" label="Name" value={filter.name} maxLength={200} />
        <Typed name="voter" label="Voter ID" value={filter.voter} maxLength={64} />
        <Typed name="sheet" label="Sheet" value={filter.sheet} inputMode="numeric" pattern="[1-9][0-9]{0,5}" />
        <Choice name="verdict" label="Verdict" value={filter.verdict} all="All">
          {verdicts.map((verdict) => (
            <option key={verdict} value={verdict}>
              {verdictWords[verdict]}
            </option>
          ))}
        </Choice>
        <Choice name="clerk" label="Keyed by" value={filter.clerk} all="Anybody">
          {clerks.map(({ id, name }) => (
            <option key={id} value={id}>
              {name ?? "An account that is gone"}
            </option>
          ))}
        </Choice>
        <Choice name="sort" label="Order" value={sort}>
          {Object.entries(sorts).flatMap(([order, { up, down }]) => [
            <option key={order} value={order}>
              {up}
            </option>,
            <option key={`-${order}`} value={`-${order}`}>
              {down}
            </option>,
          ])}
        </Choice>
      </div>
      <details open={more.some((value) => value !== undefined)}>
        <summary className="w-fit cursor-pointer py-1 text-muted-foreground text-sm hover:text-foreground pointer-coarse:py-3">
          Days, circulator, county, removed lines
        </summary>
        <div className={fields}>
          <Typed name="keyedFrom" label="Keyed from" value={filter.keyedFrom} type="date" />
          <Typed name="keyedTo" label="Keyed to" value={filter.keyedTo} type="date" />
          <Typed name="signedFrom" label="Signed from" value={filter.signedFrom} type="date" />
          <Typed name="signedTo" label="Signed to" value={filter.signedTo} type="date" />
          <Choice name="circulator" label="Circulator" value={filter.circulator} all="Anybody">
            {circulators.map((circulator) => (
              <option key={circulator}>{circulator}</option>
            ))}
          </Choice>
          <Typed name="county" label="County" value={county} maxLength={200} />
          <Choice name="state" label="Removed lines" value={filter.state} all="Without">
            <option value="all">With</option>
            <option value="removed">Alone</option>
          </Choice>
        </div>
      </details>
      <FilterButtons path={path} query={query} />
    </Form>
  );
}

const fields = "grid grid-cols-2 items-end gap-x-3 gap-y-2 @xl:grid-cols-3 @4xl:grid-cols-6";

function Typed({
  name,
  label,
  value,
  ...input
}: {
  name: string;
  label: string;
  value: string | number | undefined;
  type?: "date";
  inputMode?: "numeric";
  pattern?: string;
  maxLength?: number;
}) {
  return (
    <Field id={`filter-${name}`} label={label}>
      <Input id={`filter-${name}`} name={name} defaultValue={value} autoComplete="off" spellCheck={false} {...input} />
    </Field>
  );
}

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
  /** What it says when nothing is chosen; without it something always is. */
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
