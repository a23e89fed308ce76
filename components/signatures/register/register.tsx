import Link from "next/link";
import type { ReactNode } from "react";
import { RegisterFilterForm } from "@/components/signatures/register/register-filter";
import { registerPath } from "@/components/signatures/register/register-path";
import { RegisterTable } from "@/components/signatures/register/register-table";
import { buttonVariants } from "@/components/ui/button";
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
  const pageLink = (rel: "prev" | "next", text: string, page: RegisterView) => (
    <Link
      rel={rel}
      href={registerPath(place, { ...filter, sort, ...page })}
      prefetch={false}
      className={buttonVariants({ variant: "outline" })}
    >
      {text}
    </Link>
  );
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
        <nav aria-label="Pages" className="flex items-center gap-2 px-4 py-3 md:px-6">
          <p className="mr-auto text-muted-foreground text-sm">
            Times are in {format.timeZone.replaceAll("_", " ")} time.
          </p>
          {earlier && pageLink("prev", "Previous", { before: lines.at(0)?.id })}
          {later && pageLink("next", "Next", { after: lines.at(-1)?.id })}
        </nav>
      </div>
    </div>
  );
}
