import { ArrowDown, ArrowUp } from "lucide-react";
import Link from "next/link";
import { nameOf, numbersOf, whoText } from "@/components/signatures/register/line-text";
import { registerPath } from "@/components/signatures/register/register-path";
import { VerdictMark } from "@/components/signatures/register/verdict-mark";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import { placeText } from "@/lib/signatures/line-text";
import {
  type RegisterFilter,
  type RegisterOrder,
  type RegisterView,
  usualSort,
} from "@/lib/signatures/register/filter";
import type { RegisterLine } from "@/lib/signatures/register/line";
import { cn } from "@/lib/utils";

// Where there is little room, a row is a card: the name with the place, the day and the clerk below it, and the verdict.
const from = { sm: "@max-2xl:hidden", md: "@max-4xl:hidden", lg: "@max-5xl:hidden", xl: "@max-6xl:hidden" };

type Column = { label: string; className: string; order?: RegisterOrder; newestFirst?: true };
const columns: Column[] = [
  { label: "Sheet, line", order: "paper", className: cn(from.sm, "w-24") },
  { label: "Name", order: "name", className: "@max-2xl:pl-4" },
  { label: "Verdict", order: "verdict", className: "w-34 @2xl:w-46" },
  { label: "Voter ID", className: cn(from.lg, "w-28") },
  { label: "Signed", order: "signed", newestFirst: true, className: cn(from.md, "w-22") },
  { label: "Circulator", className: cn(from.xl, "w-34") },
  { label: "Keyed", order: "keyed", newestFirst: true, className: cn(from.sm, "w-38") },
  { label: "Clerk", order: "clerk", className: cn(from.md, "w-34") },
];

/** Lines of the register. A head orders them, a name opens its line; both are links. */
export function RegisterTable({
  lines,
  place,
  filter,
  view: { line: open, sort = usualSort, ...page },
  format,
}: {
  lines: RegisterLine[];
  place: CampaignOfTeam;
  filter: RegisterFilter;
  view: RegisterView;
  format: Format;
}) {
  return (
    <div className="@container">
      <Table aria-label="Lines" className="table-fixed md:[&_:is(td,th):first-child]:pl-6">
        <thead>
          <tr>
            {columns.map((column) => (
              <Head
                key={column.label}
                column={column}
                sort={sort}
                hrefOf={(sort) => registerPath(place, { ...filter, sort })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const { id, removedAt, signedOn, enteredAt, enteredBy, circulator, voterId } = line;
            return (
              <TableRow
                key={id}
                className={cn("relative", id === open && "bg-muted", removedAt !== null && "text-muted-foreground")}
              >
                <TableCell className={from.sm}>{numbersOf(line)}</TableCell>
                <TableCell className="@max-2xl:pl-4">
                  <Link
                    href={registerPath(place, { ...filter, ...page, sort, line: id })}
                    prefetch={false}
                    scroll={false}
                    aria-current={id === open}
                    className={cn(
                      "block truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-ring",
                      removedAt !== null && "font-normal line-through",
                    )}
                  >
                    {nameOf(line) || <span className="font-normal text-muted-foreground">No name</span>}
                    <span className="sr-only">, {placeText(line)}</span>
                  </Link>
                  <span aria-hidden className="@2xl:hidden block truncate text-muted-foreground text-sm">
                    {placeText(line)} · {format.shortDay(enteredAt)} · {whoText(enteredBy)}
                  </span>
                </TableCell>
                <TableCell>
                  <VerdictMark line={line} place={place} />
                </TableCell>
                <TableCell className={cn(from.lg, "truncate")}>{voterId}</TableCell>
                <TableCell className={cn(from.md, "truncate")}>{signedOn && format.shortDay(signedOn)}</TableCell>
                <TableCell className={cn(from.xl, "truncate")}>{circulator}</TableCell>
                <TableCell className={cn(from.sm, "truncate")}>
                  {format.shortDay(enteredAt)}, {format.time(enteredAt)}
                </TableCell>
                <TableCell className={cn(from.md, "truncate")}>{whoText(enteredBy)}</TableCell>
              </TableRow>
            );
          })}
        </tbody>
      </Table>
    </div>
  );
}

function Head({
  column: { label, className, order, newestFirst },
  sort,
  hrefOf,
}: {
  column: Column;
  sort: NonNullable<RegisterView["sort"]>;
  hrefOf: (sort: RegisterView["sort"]) => string;
}) {
  // Below the bar of the page. A cell that stays in place leaves its border behind.
  const head = cn(
    "sticky top-12 z-2 border-b-0 bg-background shadow-[inset_0_-1px_0_var(--border)] pointer-coarse:top-14",
    className,
  );
  if (!order) return <TableHead className={head}>{label}</TableHead>;
  const [up, down] = [order, `-${order}`] as const;
  const [usual, other] = newestFirst ? [down, up] : [up, down];
  const Arrow = sort === up ? ArrowUp : ArrowDown;
  return (
    <TableHead className={head} aria-sort={sort === up ? "ascending" : sort === down ? "descending" : undefined}>
      <Link
        href={hrefOf(sort === usual ? other : usual)}
        prefetch={false}
        scroll={false}
        className="-mx-1 inline-flex h-7 items-center gap-1 rounded-md px-1 hover:text-foreground"
      >
        {label}
        {(sort === up || sort === down) && <Arrow aria-hidden className="size-3" />}
      </Link>
    </TableHead>
  );
}
