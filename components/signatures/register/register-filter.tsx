import { X } from "lucide-react";
import { InputField } from "@/components/forms/input-field";
import { LiveForm } from "@/components/forms/live-form";
import { type Option, SelectField } from "@/components/forms/select-field";
import { FindKey } from "@/components/signatures/register/register-keys";
import { ButtonLink } from "@/components/ui/link";
import type { Format } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";
import { initialFormState } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import { queryText } from "@/lib/query-text";
import {
  defaultSort,
  type RegisterFilter,
  type RegisterOrder,
  type RegisterView,
  registerFilterLabels,
} from "@/lib/signatures/register/filter";
import type { RegisterChoices } from "@/lib/signatures/register/register";
import { registerPath } from "@/lib/signatures/register/register-path";
import { verdicts, verdictWords } from "@/lib/signatures/verdicts";
import { cn } from "@/lib/utils";

const sorts: Record<RegisterOrder, [ascending: string, descending: string]> = {
  entered: ["Date entered, oldest first", "Date entered, newest first"],
  signed: ["Date signed, oldest first", "Date signed, newest first"],
  sheet: ["Sheet, low to high", "Sheet, high to low"],
  name: ["Name, A to Z", "Name, Z to A"],
  verdict: ["Status, A to Z", "Status, Z to A"],
  clerk: ["Entered by, A to Z", "Entered by, Z to A"],
};
const sortOptions = Object.entries(sorts).flatMap(([order, [ascending, descending]]) => [
  { id: order, name: ascending },
  { id: `-${order}`, name: descending },
]);
const verdictOptions = [
  { id: "not-blank", name: "All except blank" },
  ...verdicts.map((verdict) => ({ id: verdict, name: capitalized(verdictWords[verdict]) })),
];
const stateOptions = [
  { id: "all", name: "Include" },
  { id: "removed", name: "Only" },
];
const fieldNames = Object.keys(registerFilterLabels) as (keyof RegisterFilter)[];

/** Filters and sorts the register while it is changed; each filter that is set is a chip that removes it. */
export function RegisterFilterForm({
  place,
  filter,
  typedSheet,
  sort = defaultSort,
  choices: { clerks, circulators, counties },
  format,
}: {
  place: CampaignOfTeam;
  filter: RegisterFilter;
  typedSheet?: string | undefined;
  sort: RegisterView["sort"];
  choices: RegisterChoices;
  format: Format;
}) {
  const { enteredFrom, enteredTo, signedFrom, signedTo, circulator, county } = filter;
  const named = (name: keyof RegisterFilter) => ({ name, label: registerFilterLabels[name] });
  const input = (name: keyof RegisterFilter) => ({
    ...named(name),
    state: initialFormState,
    defaultValue: filter[name],
    spellCheck: false,
    autoComplete: "off",
  });
  const select = (name: keyof RegisterFilter) => ({ ...named(name), defaultValue: filter[name] ?? "" });
  // The URL can name someone who isn't a choice anymore. Without an option, the next change would drop that filter.
  const withCurrent = (options: Option[], id: string | undefined, name = id) =>
    id === undefined || options.some((option) => option.id === id) ? options : [...options, { id, name: name ?? id }];
  const ofNames = (names: string[], current: string | undefined) =>
    withCurrent(
      names.map((name) => ({ id: name, name })),
      current,
    );
  const namedClerks = clerks.map(({ id, name }) => ({ id, name: name ?? "A deleted account" }));
  const clerkOptions = withCurrent(namedClerks, filter.clerk, "Someone without lines here");
  const set = fieldNames.filter((name) => filter[name] !== undefined);
  const textOf = (name: keyof RegisterFilter) => {
    const value = String(filter[name]);
    const options = { verdict: verdictOptions, clerk: clerkOptions, state: stateOptions };
    const option = name in options ? options[name as keyof typeof options].find(({ id }) => id === value) : undefined;
    return option?.name ?? (/(From|To)$/.test(name) ? format.day(value) : value);
  };
  return (
    <>
      <LiveForm
        path={registerPath(place)}
        query={queryText({ ...filter, sort, sheet: filter.sheet ?? typedSheet })}
        className="@container flex flex-col gap-1 px-4 pt-3 md:px-6 print:hidden"
      >
        <FindKey />
        <div className={fields}>
          <InputField {...input("name")} label="Name or voter ID" maxLength={200} />
          <InputField
            {...input("sheet")}
            inputMode="numeric"
            defaultValue={filter.sheet ?? typedSheet}
            found={filter.sheet === undefined && typedSheet ? "must be one number, such as 412" : undefined}
          />
          <SelectField {...select("verdict")} none="All" options={verdictOptions} />
          <SelectField {...select("clerk")} none="Anyone" options={clerkOptions} />
          <SelectField name="sort" label="Sort by" defaultValue={sort} options={sortOptions} />
        </div>
        <details>
          <summary className="w-fit cursor-pointer py-1 text-muted-foreground text-sm hover:text-foreground pointer-coarse:py-3">
            More filters
          </summary>
          {/* Four columns keep the first and last day in one row. */}
          <div className={cn(fields, "@4xl:grid-cols-4")}>
            <InputField {...input("voter")} maxLength={64} />
            <SelectField {...select("circulator")} none="Anyone" options={ofNames(circulators, circulator)} />
            <SelectField {...select("county")} none="All" options={ofNames(counties, county)} />
            <SelectField {...select("state")} none="Hide" options={stateOptions} />
            <InputField {...input("enteredFrom")} type="date" />
            <InputField {...input("enteredTo")} type="date" found={backwards("entered", enteredFrom, enteredTo)} />
            <InputField {...input("signedFrom")} type="date" />
            <InputField {...input("signedTo")} type="date" found={backwards("signed", signedFrom, signedTo)} />
          </div>
        </details>
      </LiveForm>
      {set.length > 0 && (
        <ul aria-label="Filters" className="relative flex gap-2 overflow-x-auto px-4 py-1 sm:flex-wrap md:px-6">
          {set.map((name) => (
            <li key={name} className="shrink-0">
              <ButtonLink
                href={registerPath(place, { ...filter, sort, [name]: undefined })}
                scroll={false}
                variant="outline"
                className="h-7 gap-1 rounded-full px-2.5 font-normal text-sm print:border-0 print:px-0"
              >
                <span className="sr-only print:hidden">Remove filter </span>
                {registerFilterLabels[name === "name" && /\d/.test(filter.name ?? "") ? "voter" : name]}: {textOf(name)}
                <X aria-hidden className="size-3.5 print:hidden" />
              </ButtonLink>
            </li>
          ))}
          <li className="shrink-0">
            <ButtonLink
              href={registerPath(place, { sort })}
              scroll={false}
              variant="ghost"
              className="h-7 px-2.5 text-sm print:hidden"
            >
              Show all
            </ButtonLink>
          </li>
        </ul>
      )}
    </>
  );
}

// What is wrong with a last day before the first: nothing can match.
const backwards = (what: "entered" | "signed", from: string | undefined, to: string | undefined) =>
  from && to && to < from ? `must be the same day as “${registerFilterLabels[`${what}From`]}” or later` : undefined;

const fields = "grid grid-cols-2 items-end gap-x-3 gap-y-2 @xl:grid-cols-3 @4xl:grid-cols-5";
