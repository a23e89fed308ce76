import { Download, Printer } from "lucide-react";
import type { ReactNode } from "react";
import { PageLinks } from "@/components/shell/list-parts";
import { linesText } from "@/components/signatures/register/line-text";
import { RegisterFilterForm } from "@/components/signatures/register/register-filter";
import { PrintWhenOpened } from "@/components/signatures/register/register-keys";
import { RegisterTable } from "@/components/signatures/register/register-table";
import { buttonVariants } from "@/components/ui/button";
import { ButtonLink, TextLink } from "@/components/ui/link";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import { queryText } from "@/lib/query-text";
import type { RegisterFilter, RegisterView } from "@/lib/signatures/register/filter";
import type { ListedLines, RegisterChoices, RegisterCounts } from "@/lib/signatures/register/register";
import { registerPath } from "@/lib/signatures/register/register-path";
import { cn } from "@/lib/utils";

/** A page of the register. `children` are the open line: next to the lines, or over them where there is no room. */
export function Register({
  place,
  filter,
  typedSheet,
  view,
  listed: { lines, earlier, later, similar },
  counts,
  choices,
  format,
  canSearch,
  children,
}: {
  place: CampaignOfTeam;
  filter: RegisterFilter;
  typedSheet: string | undefined;
  view: RegisterView;
  listed: ListedLines;
  counts: RegisterCounts;
  choices: RegisterChoices;
  format: Format;
  canSearch: boolean;
  children: ReactNode;
}) {
  const { sort, print } = view;
  const blank = "lines" in counts ? counts.lines - counts.accepted - counts.rejected : 0;
  const isBackwards = (["signed", "entered"] as const).some(
    (what) => (filter[`${what}To`] ?? "9999") < (filter[`${what}From`] ?? ""),
  );
  const { name, ...otherFilters } = filter;
  const hasOtherFilters = queryText(otherFilters) !== "";
  const pageHref = (page: RegisterView) => registerPath(place, { ...filter, sort, ...page });
  return (
    <>
      <RegisterFilterForm {...{ place, filter, typedSheet, sort, choices, format }} />
      <div
        className={cn(
          "mt-2 border-t",
          children && "xl:grid xl:min-h-[calc(100dvh-3rem)] xl:grid-cols-[minmax(0,1fr)_22rem] print:block",
        )}
      >
        {children && (
          <aside
            aria-label="Line"
            className="border-l bg-sidebar max-xl:fixed max-xl:inset-y-0 max-xl:right-0 max-xl:z-20 max-xl:w-[min(24rem,100vw)] max-xl:overflow-y-auto max-xl:overscroll-contain max-xl:shadow-lg xl:order-last print:hidden"
          >
            <div className="flex flex-col gap-4 px-4 py-3 xl:sticky xl:top-12 xl:max-h-[calc(100dvh-3rem)] xl:overflow-y-auto">
              {children}
            </div>
          </aside>
        )}
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 px-4 py-1.5 md:px-6">
            <div role="status" className="flex flex-1 basis-32 flex-wrap items-baseline gap-x-3">
              <h2 className="font-semibold">{linesText(counts, format)}</h2>
              <p className="text-muted-foreground text-sm">
                {"lines" in counts &&
                  counts.lines > 0 &&
                  `${format.number(counts.accepted)} valid · ${format.number(counts.rejected)} invalid`}
                {blank > 0 && ` · ${format.number(blank)} blank`}
              </p>
              {similar && lines.length > 0 && (
                <p className="text-sm text-warning">No names start with “{filter.name}”. Showing similar names.</p>
              )}
            </div>
            {print ? (
              <>
                {(earlier || later) && (
                  <p className="text-sm text-warning">
                    Only the first {format.number(lines.length)} lines print. Filter by sheet or date to print the rest.
                  </p>
                )}
                <PrintWhenOpened />
                <ButtonLink href={pageHref({})} variant="ghost" className="print:hidden">
                  Back to list
                </ButtonLink>
              </>
            ) : (
              <ButtonLink href={pageHref({ print: "yes" })} variant="ghost" className="print:hidden">
                <Printer aria-hidden /> <span className="max-sm:sr-only">Print</span>
              </ButtonLink>
            )}
            <a
              href={`${registerPath(place)}/csv${queryText({ ...filter, sort })}`}
              download
              className={buttonVariants({ variant: "ghost", className: "print:hidden" })}
            >
              <Download aria-hidden /> <span className="max-sm:sr-only">Download CSV</span>
            </a>
          </div>
          {lines.length === 0 ? (
            <p className="border-t px-4 py-6 md:px-6">
              {hasOtherFilters
                ? `No lines match these filters.${isBackwards ? " The last day is before the first." : ""}`
                : name
                  ? `No lines match “${name}”: no such name or voter ID. Clear a filter or show all.`
                  : "No lines entered yet. They appear here as soon as they are saved."}{" "}
              {hasOtherFilters && <TextLink href={registerPath(place, { name, sort })}>Remove filters</TextLink>}{" "}
              {name && canSearch && (
                <TextLink href={`/${place.team}/campaign/${place.campaign}/voters#${new URLSearchParams({ q: name })}`}>
                  Find “{name}” in voter search
                </TextLink>
              )}
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
    </>
  );
}
