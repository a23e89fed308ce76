import type { ReactNode } from "react";
import { RegisterFilterForm } from "@/components/signatures/register/register-filter-form";
import { RegisterPages } from "@/components/signatures/register/register-pages";
import { RegisterTable } from "@/components/signatures/register/register-table";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import { queryText } from "@/lib/query-text";
import type { RegisterFilter, RegisterView } from "@/lib/signatures/register/filter";
import type { ListedLines, RegisterChoices, RegisterCounts } from "@/lib/signatures/register/register";
import { cn } from "@/lib/utils";

/** A page of the register. `children` are the line that is open: beside the lines, and above them where there is no room. */
export function Register({
  place,
  filter,
  view,
  listed,
  counts,
  choices,
  format,
  children,
}: {
  place: CampaignOfTeam;
  filter: RegisterFilter;
  view: RegisterView;
  listed: ListedLines;
  counts: RegisterCounts;
  choices: RegisterChoices;
  format: Format;
  children: ReactNode;
}) {
  const { sort } = view;
  return (
    <div className={cn(children && "xl:grid xl:grid-cols-[minmax(0,1fr)_22rem]")}>
      {children && (
        <aside aria-label="Line" className="border-b bg-sidebar xl:order-last xl:border-b-0 xl:border-l">
          <div className="flex flex-col gap-4 px-4 py-3 xl:sticky xl:top-12 xl:max-h-[calc(100dvh-3rem)] xl:overflow-y-auto">
            {children}
          </div>
        </aside>
      )}
      <div className="min-w-0">
        <RegisterFilterForm place={place} filter={filter} sort={sort} choices={choices} />
        <div className="flex flex-wrap items-baseline gap-x-3 border-t px-4 py-2 md:px-6">
          <h2 className="font-semibold">{format.count(counts.lines, "line")}</h2>
          <p className="text-muted-foreground text-sm">
            {format.number(counts.accepted)} accepted · {format.number(counts.rejected)} rejected
          </p>
        </div>
        {listed.lines.length === 0 ? (
          <p className="border-t px-4 py-6 md:px-6">
            {queryText(filter)
              ? "No line matches. Take something out of the filter, or show all."
              : "No line was keyed yet. Every line that is will stand here, with who keyed it and what became of it."}
          </p>
        ) : (
          <RegisterTable lines={listed.lines} place={place} filter={filter} view={view} format={format} />
        )}
        <RegisterPages listed={listed} place={place} filter={filter} sort={sort} timeZone={format.timeZone} />
      </div>
    </div>
  );
}
