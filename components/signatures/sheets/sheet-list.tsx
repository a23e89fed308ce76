import { Fragment, type ReactNode } from "react";
import { InputField } from "@/components/forms/input-field";
import { LiveForm } from "@/components/forms/live-form";
import { SelectField } from "@/components/forms/select-field";
import { PageLinks, RowLink, StickyHead } from "@/components/shell/list-parts";
import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/link";
import { Table, TableCell, TableRow } from "@/components/ui/table";
import type { Format } from "@/lib/format/format-of";
import { initialFormState } from "@/lib/forms/form-state";
import type { CampaignOfTeam } from "@/lib/ids";
import { queryText } from "@/lib/query-text";
import { enteredText, personText, rangesText } from "@/lib/signatures/line-text";
import { entryLinePath, registerPath } from "@/lib/signatures/register/register-path";
import { defaultSheetSort, type SheetFilter, type SheetOrder } from "@/lib/signatures/sheet-filter";
import type { ListedSheet, SheetPage } from "@/lib/signatures/sheet-list";

const sorts = [
  { id: "-number", name: "Number, high to low" },
  { id: "number", name: "Number, low to high" },
  { id: "-opened", name: "Newest started" },
  { id: "opened", name: "Oldest started" },
  { id: "-collected", name: "Newest collected" },
  { id: "collected", name: "Oldest collected" },
];
const states = [
  { id: "open", name: "Open" },
  { id: "closed", name: "Closed" },
];
const maxNamed = 20;

/** All sheets of a team in a campaign; each leads to its lines. */
export function SheetList({
  place,
  filter: { after, sort = defaultSheetSort, ...filter },
  typedNumber,
  page: { sheets, more, total, totalAbove, notStarted },
  circulators,
  canEnter = false,
  format,
}: {
  place: CampaignOfTeam;
  filter: SheetFilter;
  typedNumber?: string | undefined;
  page: SheetPage;
  circulators: string[];
  /** Whether missing lines lead to data entry. */
  canEnter?: boolean;
  format: Format;
}) {
  const path = `/${place.team}/campaign/${place.campaign}/signatures/sheets`;
  const hrefOf = (from: number | undefined) => path + queryText({ ...filter, sort, after: from });
  const sortedBy = (order: SheetFilter["sort"]) => path + queryText({ ...filter, sort: order });
  const { count, number, shortDay } = format;
  const missingLines = ({ number: sheet, missing, missingCount }: ListedSheet) => {
    if (missingCount === 0) return "None";
    const unnamed = missingCount - Math.min(missing.length, maxNamed);
    const ranges = rangesText(missing.slice(0, maxNamed));
    return (
      <>
        {ranges.map((range, index) => (
          <Fragment key={range}>
            {index > 0 && ", "}
            {canEnter ? (
              <TextLink
                href={entryLinePath(place, { sheet, line: Number.parseInt(range, 10) })}
                title="Enter missing lines"
                className="relative z-1"
              >
                {range}
              </TextLink>
            ) : (
              range
            )}
          </Fragment>
        ))}
        {unnamed > 0 && ` and ${number(unnamed)} more`}
      </>
    );
  };
  const columns: [label: string, className: string, cell: (sheet: ListedSheet) => ReactNode, order?: SheetOrder][] = [
    [
      "Sheet",
      "w-24",
      (sheet) => (
        <RowLink href={registerPath(place, { sheet: sheet.number, sort: "sheet" })}>
          {sheet.number}
          <span className="sr-only">: view its lines</span>
        </RowLink>
      ),
      "number",
    ],
    [
      "Status",
      "w-28",
      ({ closedAt }) => <Badge tone={closedAt ? "success" : "warning"}>{closedAt ? "Closed" : "Open"}</Badge>,
    ],
    [
      "Entered",
      "@lg:w-48",
      (sheet) => (
        <>
          <span className="whitespace-normal">{enteredText(sheet, format)}</span>
          <span className="block truncate text-muted-foreground text-sm @3xl:hidden">
            {[sheet.circulator, sheet.collectedOn && shortDay(sheet.collectedOn)].filter(Boolean).join(" · ")}
          </span>
          {sheet.missingCount > 0 && <span className="block truncate @lg:hidden">Missing: {missingLines(sheet)}</span>}
        </>
      ),
    ],
    ["Missing", "@max-lg:hidden", missingLines],
    ["Circulator", "@max-3xl:hidden", ({ circulator }) => circulator ?? "–"],
    [
      "Collected",
      "w-28 @max-4xl:hidden",
      ({ collectedOn }) => (collectedOn ? shortDay(collectedOn) : "–"),
      "collected",
    ],
    ["Started", "w-24 @max-5xl:hidden print:table-cell!", ({ openedAt }) => shortDay(openedAt), "opened"],
    ["Last opened by", "w-40 @max-5xl:hidden print:table-cell!", ({ openedBy }) => personText(openedBy)],
  ];
  return (
    <div>
      <LiveForm
        path={path}
        query={queryText({ ...filter, sort, number: filter.number ?? typedNumber })}
        className="grid grid-cols-2 items-start gap-3 px-4 py-3 md:grid-cols-5 md:px-6 max-md:[&>:nth-child(5)]:col-span-2 print:hidden"
      >
        <InputField
          state={initialFormState}
          name="number"
          label="Sheet"
          inputMode="numeric"
          defaultValue={filter.number ?? typedNumber}
          found={filter.number === undefined && typedNumber ? "must be one number, such as 412" : undefined}
        />
        <SelectField name="state" label="Status" none="All" options={states} defaultValue={filter.state ?? ""} />
        <SelectField
          name="missing"
          label="Lines"
          none="All"
          options={[{ id: "yes", name: "Some missing" }]}
          defaultValue={filter.missing ?? ""}
        />
        <SelectField
          name="circulator"
          label="Circulator"
          none="Anyone"
          options={[...new Set([...circulators, filter.circulator ?? []].flat())].map((name) => ({ id: name, name }))}
          defaultValue={filter.circulator ?? ""}
        />
        <SelectField name="sort" label="Sort by" options={sorts} defaultValue={sort} />
      </LiveForm>
      <div role="status" className="border-t px-4 py-2 md:px-6">
        <h2 className="font-semibold">
          {total === undefined ? `${number(totalAbove ?? 0)}+ sheets` : count(total, "sheet")}
        </h2>
        {notStarted.length > 0 && (
          <p className="wrap-anywhere text-muted-foreground text-sm">
            Not started: {rangesText(notStarted).join(", ")}
          </p>
        )}
      </div>
      {sheets.length === 0 ? (
        <p className="border-t px-4 py-6 md:px-6">
          {queryText(filter) ? (
            <>
              No sheets match. Clear a filter or <TextLink href={path}>show all</TextLink>.
            </>
          ) : (
            "No sheets yet. Each sheet appears here once it's started."
          )}
        </p>
      ) : (
        <div className="@container">
          <Table aria-label="Sheets" className="table-fixed md:[&_:is(td,th):first-child]:pl-6">
            <thead>
              <tr>
                {columns.map(([label, className, , order]) => (
                  <StickyHead
                    key={label}
                    className={className}
                    sorted={sort === order ? "ascending" : sort === `-${order}` ? "descending" : undefined}
                    href={order && sortedBy(sort === `-${order}` ? order : `-${order}`)}
                  >
                    {label}
                  </StickyHead>
                ))}
              </tr>
            </thead>
            <tbody>
              {sheets.map((sheet) => (
                <TableRow key={sheet.number} className="relative">
                  {columns.map(([label, className, cell]) => (
                    <TableCell key={label} className={`truncate tabular-nums ${className}`}>
                      {cell(sheet)}
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      <PageLinks
        before={["First page", after === undefined ? null : hrefOf(undefined)]}
        after={["Next", more ? hrefOf(sheets.at(-1)?.number) : null]}
        className="px-4 py-3 md:px-6"
      />
    </div>
  );
}
