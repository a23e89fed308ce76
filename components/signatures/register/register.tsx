import type { ReactNode } from "react";
import { PageLinks } from "@/components/shell/list-parts";
import { RegisterFilterForm } from "@/components/signatures/register/register-filter";
import { registerPath } from "@/components/signatures/register/register-path";
import { RegisterTable } from "@/components/signatures/register/register-table";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import { queryText } from "@/lib/query-text";
import type { RegisterFilter, RegisterView } from "@/lib/signatures/register/filter";
import type { ListedLines, RegisterChoices, RegisterCounts } from "@/lib/signatures/register/register";
import { cn } from "@/lib/utils";

/** A page of the register. `children` are the open line: next to the lines, or above them where there is no room. */
export function Register({
  place,
  filter,
  view,
  listed: { lines, earlier, later },
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
  const pageHref = (page: RegisterView) => registerPath(place, { ...filter, sort, ...page });
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
          <h2 className="font-semibold">
            {"lines" in counts ? format.count(counts.lines, "line") : `${format.number(counts.linesAbove)}+ lines`}
          </h2>
          {"lines" in counts && (
            <p className="text-muted-foreground text-sm">
              {format.number(counts.accepted)} valid · {format.number(counts.rejected)} invalid
            </p>
          )}
        </div>
        {lines.length === 0 ? (
          <p className="border-t px-4 py-6 md:px-6">
            {queryText(filter)
              ? "No lines match. Clear a filter or show all."
              : "No lines entered yet. Each line will appear here with its history."}
          </p>
        ) : (
          <RegisterTable lines={lines} place={place} filter={filter} view={view} format={format} />
        )}
        <PageLinks
          note={`Times are in ${format.zoneName}.`}
          before={["Previous", earlier ? pageHref({ before: lines.at(0)?.id }) : null]}
          after={["Next", later ? pageHref({ after: lines.at(-1)?.id }) : null]}
          className="px-4 py-3 md:px-6"
        />
      </div>
    </div>
  );
}
