"use client";

import { useMemo, useRef, useState } from "react";
import { type Option, SelectField } from "@/components/forms/select-field";
import { useDebounced } from "@/components/forms/use-debounced";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { Button, buttonVariants } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { queryText } from "@/lib/query-text";
import type { MembersView } from "@/lib/team-access/members-filter";

export type MemberChoices = { roles: Option[]; campaignRoles: Option[]; statuses: Option[]; campaigns: Option[] };

const sorts = [
  { id: "name", name: "Name" },
  { id: "-name", name: "Name, Z to A" },
  { id: "role", name: "Role" },
  { id: "status", name: "Status" },
];
const debounceMs = 250;
const queryNames = ["words", "role", "campaignRole", "status", "campaign", "sort", "page"] as const;

/** A filter and page as the query of an address, with its `?`, always in this order; "" when all of it is empty. */
export function membersQuery(view: MembersView): string {
  return queryText(Object.fromEntries(queryNames.map((name) => [name, view[name] || undefined])));
}

/** Filters and sorts the members as someone types and chooses. The address has all of it; works without JavaScript. */
export function MembersFilterForm({
  path,
  view,
  inAddress,
  choices,
  onChange,
}: {
  path: string;
  /** The requested one, while its page loads. */
  view: MembersView;
  /** The words in the current address. */
  inAddress: string;
  choices: MemberChoices;
  onChange: (view: MembersView) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  const [searched, setSearched] = useState(inAddress);
  if (seen !== inAddress) {
    setSeen(inAddress);
    if (inAddress !== searched) setWords(inAddress); // by Back or a link, not by typing
  }
  const typed = words.trim();
  const search = (chosen: MembersView) => {
    setSearched(typed);
    onChange({ ...view, ...chosen, words: typed, page: undefined });
  };
  useDebounced(typed === inAddress ? null : typed, () => search({}), debounceMs);
  useScreenKeys(useMemo(() => [{ key: "/", does: "Search members", run: () => input.current?.focus() }], []));

  const choice = (
    name: Exclude<keyof MembersView, "words" | "page">,
    label: string,
    options: Option[],
    none?: string,
  ) => (
    <SelectField
      label={label}
      name={name}
      options={options}
      none={none}
      value={view[name] ?? ""}
      onPick={(id) => search({ [name]: id || undefined })}
    />
  );
  const { page: _, sort, ...filter } = view;
  return (
    <form
      action={path}
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        search({});
      }}
      className="grid grid-cols-2 items-end gap-x-3 print:hidden gap-y-2 lg:grid-cols-[minmax(12rem,2fr)_repeat(3,minmax(0,1fr))_auto]"
    >
      <div className="col-span-2 lg:col-span-1">
        <Field id="filter-words" label="Search">
          <Input
            id="filter-words"
            ref={input}
            name="words"
            type="search"
            placeholder="Name, email, role, campaign"
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </Field>
      </div>
      {choice("role", "Role", choices.roles, "All roles")}
      {choice("status", "Status", choices.statuses, "All statuses")}
      {choice("campaign", "Campaign", choices.campaigns, "All campaigns")}
      {/* Rarely needed: only after a link from the roles. */}
      {view.campaignRole && choice("campaignRole", "Campaign role", choices.campaignRoles, "All roles")}
      <div className="lg:hidden">{choice("sort", "Sort by", sorts)}</div>
      <noscript>
        <Button type="submit" variant="outline">
          Filter
        </Button>
      </noscript>
      <div className="col-span-2 flex gap-2 lg:col-span-1 lg:col-start-5">
        <Link
          href={path}
          className={buttonVariants({
            variant: "ghost",
            // Keeps its space, so that nothing moves when it appears.
            className: membersQuery(filter) === "" ? "invisible" : undefined,
          })}
        >
          Show all
        </Link>
        <a
          href={`${path}/csv${membersQuery({ ...filter, sort })}`}
          download
          className={buttonVariants({ variant: "ghost", className: "ml-auto" })}
        >
          Download CSV
        </a>
      </div>
    </form>
  );
}
