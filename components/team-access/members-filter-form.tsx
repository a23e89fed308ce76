"use client";

import Link from "next/link";
import { useMemo, useRef, useState } from "react";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { membersQuery } from "@/components/team-access/members-query";
import { Button, buttonVariants } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { useDebounced } from "@/components/ui/use-debounced";
import type { MembersView } from "@/lib/team-access/members-filter";

type Option = { id: string; name: string };
export type MemberChoices = { roles: Option[]; statuses: Option[]; campaigns: Option[] };

const sorts = [
  { id: "name", name: "Name" },
  { id: "-name", name: "Name, from Z" },
  { id: "role", name: "Role" },
  { id: "status", name: "Status" },
];
const pause = 250; // ms after a letter

/** Narrows and orders the members as one types and chooses. All of it stands in the address; it works without JavaScript. */
export function MembersFilterForm({
  path,
  view,
  inAddress,
  choices,
  onChange,
}: {
  path: string;
  /** As it is to be, while the page that was asked for comes. */
  view: MembersView;
  /** The words that the address has now. */
  inAddress: string;
  choices: MemberChoices;
  onChange: (view: MembersView) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState(inAddress);
  const [seen, setSeen] = useState(inAddress);
  const [asked, setAsked] = useState(inAddress);
  if (seen !== inAddress) {
    setSeen(inAddress);
    if (inAddress !== asked) setWords(inAddress); // it came by Back or a link, not from what is being typed
  }
  const typed = words.trim();
  const ask = (chosen: MembersView) => {
    setAsked(typed);
    onChange({ ...view, ...chosen, words: typed, page: undefined });
  };
  useDebounced(typed === inAddress ? null : typed, async () => ask({}), pause);
  useScreenKeys(useMemo(() => [{ key: "/", does: "Find members", run: () => input.current?.focus() }], []));

  const choice = (name: "role" | "status" | "campaign" | "sort", label: string, options: Option[], all?: string) => (
    <Field id={`filter-${name}`} label={label}>
      <Select
        id={`filter-${name}`}
        name={name}
        value={view[name] ?? ""}
        onChange={(event) => ask({ [name]: event.target.value || undefined })}
      >
        {all && <option value="">{all}</option>}
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </Select>
    </Field>
  );
  const { page: _, sort, ...filter } = view;
  return (
    <form
      action={path}
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        ask({});
      }}
      className="grid grid-cols-2 items-end gap-x-3 gap-y-2 lg:grid-cols-[minmax(12rem,2fr)_repeat(3,minmax(0,1fr))_auto]"
    >
      <div className="col-span-2 lg:col-span-1">
        <Field id="filter-words" label="Find">
          <Input
            id="filter-words"
            ref={input}
            name="words"
            type="search"
            placeholder="Name, address, role, campaign"
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        </Field>
      </div>
      {choice("role", "Role", choices.roles, "All roles")}
      {choice("status", "Status", choices.statuses, "Any status")}
      {choice("campaign", "Campaign", choices.campaigns, "All campaigns")}
      <div className="lg:hidden">{choice("sort", "Order", sorts)}</div>
      <noscript>
        <Button type="submit" variant="outline">
          Filter
        </Button>
      </noscript>
      <div className="col-span-2 flex gap-2 lg:col-span-1">
        <Link
          href={path}
          prefetch={false}
          className={buttonVariants({
            variant: "ghost",
            // Its room is kept: nothing moves when it comes.
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
