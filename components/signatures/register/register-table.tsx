import type { ReactNode } from "react";
import { RowLink, StickyHead } from "@/components/shell/list-parts";
import {
  formatLineName,
  formatLineNumber,
  lineLinkId,
  unnamedText,
  whoText,
} from "@/components/signatures/register/line-text";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Table, TableCell, TableRow } from "@/components/ui/table";
import type { Format } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";
import type { CampaignOfTeam } from "@/lib/ids";
import { nameText, placeText, signerText } from "@/lib/signatures/line-text";
import {
  defaultSort,
  type RegisterFilter,
  type RegisterOrder,
  type RegisterView,
} from "@/lib/signatures/register/filter";
import type { RegisterLine } from "@/lib/signatures/register/register";
import { registerPath } from "@/lib/signatures/register/register-path";
import { verdictWords } from "@/lib/signatures/verdicts";
import { cn } from "@/lib/utils";

const newestFirst: RegisterOrder[] = ["signed", "entered"];
const withLinks = ["Name", "Status"]; // whose text isn't cut off

// On narrow screens a row is a card of name and status; the name cell has the rest.
const from = { sm: "@max-2xl:hidden", md: "@max-4xl:hidden", lg: "@max-5xl:hidden", xl: "@max-6xl:hidden" };

/** Lines of the register. A column head sorts them, a name opens its line; both are links. */
export function RegisterTable({
  lines,
  place,
  filter,
  view: { line: open, sort = defaultSort, ...page },
  format: { shortDay, time },
}: {
  lines: RegisterLine[];
  place: CampaignOfTeam;
  filter: RegisterFilter;
  view: RegisterView;
  format: Format;
}) {
  const nameCell = (line: RegisterLine) => (
    <>
      <RowLink
        id={lineLinkId(line.id)}
        href={registerPath(place, { ...filter, ...page, sort, line: line.id })}
        scroll={false}
        aria-current={line.id === open}
        className={cn("block truncate", line.removedAt !== null && "font-normal line-through")}
      >
        {signerText(line) || formatLineName(line) || (
          <span className="font-normal text-muted-foreground">{unnamedText(line)}</span>
        )}
        <span className="sr-only">, {placeText(line)}</span>
      </RowLink>
      <span aria-hidden className="@2xl:hidden block truncate text-muted-foreground text-sm">
        {placeText(line)} · {shortDay(line.enteredAt)} · {whoText(line.enteredBy)}
      </span>
    </>
  );
  const columns: [label: string, width: string, cell: (line: RegisterLine) => ReactNode, order?: RegisterOrder][] = [
    ["Sheet, line", cn(from.sm, "w-30"), formatLineNumber, "sheet"],
    ["Name", "@max-2xl:pl-4", nameCell, "name"],
    ["Status", "w-34 @2xl:w-46", (line) => <VerdictMark line={line} place={place} />, "verdict"],
    ["Voter ID", cn(from.lg, "w-28 print:table-cell!"), ({ voterId }) => voterId],
    ["Signed", cn(from.md, "w-28"), ({ signedOn }) => signedOn && shortDay(signedOn), "signed"],
    ["Circulator", cn(from.xl, "w-34"), ({ circulator }) => circulator],
    ["Entered", cn(from.sm, "w-38"), ({ enteredAt }) => `${shortDay(enteredAt)}, ${time(enteredAt)}`, "entered"],
    ["Entered by", cn(from.md, "w-34"), ({ enteredBy }) => whoText(enteredBy), "clerk"],
  ];
  return (
    <div className="@container">
      <Table aria-label="Lines" className="table-fixed md:[&_:is(td,th):first-child]:pl-6">
        <thead>
          <tr>
            {columns.map(([label, width, , order]) => (
              <StickyHead
                key={label}
                className={width}
                sorted={sort === order ? "ascending" : sort === `-${order}` ? "descending" : undefined}
                href={order && registerPath(place, { ...filter, sort: nextSort(order, sort) })}
              >
                {label}
              </StickyHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <TableRow
              key={line.id}
              className={cn(
                "relative",
                line.id === open && "bg-muted",
                line.removedAt !== null && "text-muted-foreground",
              )}
            >
              {columns.map(([label, width, cell]) => (
                <TableCell key={label} className={cn(width, !withLinks.includes(label) && "truncate")}>
                  {cell(line)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function nextSort(order: RegisterOrder, sort: RegisterView["sort"]) {
  const [first, second] = newestFirst.includes(order)
    ? ([`-${order}`, order] as const)
    : ([order, `-${order}`] as const);
  return sort === first ? second : first;
}

/** A line's verdict; of a duplicate also its first signature. */
export function VerdictMark({ line, place }: { line: RegisterLine; place: CampaignOfTeam }) {
  const { verdict, first, removedAt, isCorrected } = line;
  const reason = verdict === "other" && nameText(line) && line.note; // without a name, the note is in its place
  const tone = verdict === "accepted" ? "success" : verdict === "duplicate" ? "warning" : "neutral";
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <Badge
        tone={removedAt === null ? tone : "neutral"}
        className="h-auto min-h-5 shrink whitespace-normal" // can be longer than the column
      >
        {removedAt === null
          ? capitalized(verdictWords[verdict])
          : `${isCorrected ? "Corrected" : "Removed"} (was ${verdictWords[verdict]})`}
      </Badge>
      {(first || reason) && (
        <span title={reason || undefined} className={cn("text-muted-foreground text-sm", reason && "truncate")}>
          {reason}
          {first?.ownTeam ? (
            <>
              of{" "}
              <Link
                href={registerPath(place, { line: first.id })}
                className="relative z-1 underline underline-offset-2 hover:text-foreground"
              >
                {placeText(first)}
              </Link>
            </>
          ) : (
            first && "with another team"
          )}
        </span>
      )}
    </span>
  );
}
