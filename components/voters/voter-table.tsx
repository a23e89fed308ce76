import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { TableCell, TableHead } from "@/components/ui/table";
import { rowId, type VoterScreen } from "@/components/voters/use-voter-screen";
import { Highlight, MatchBadge, SignedBadge } from "@/components/voters/voter-badges";
import { type SignedMarks, signedAtText } from "@/lib/signatures/signed-mark";
import { cn } from "@/lib/utils";
import type { Voter } from "@/lib/voters/read-hit";
import {
  columnNames,
  extraFields,
  pageSize,
  type SearchFields,
  sortableColumns,
  type VoterColumn,
  type VoterOrder,
} from "@/lib/voters/voter-query";
import { differingColumn, firstNames, streetAndUnit } from "@/lib/voters/voter-text";

const columns: Record<VoterColumn, { width: string; text: (voter: Voter) => string | undefined }> = {
  lastName: { width: "w-[16%]", text: ({ lastName }) => lastName },
  firstName: { width: "w-[13%]", text: firstNames },
  houseNumber: { width: "w-32", text: ({ houseNumber }) => houseNumber },
  street: { width: "", text: streetAndUnit },
  city: { width: "w-[11%]", text: ({ city }) => city },
  zip: { width: "w-24", text: ({ zip }) => zip },
  county: { width: "w-[10%]", text: ({ county }) => county },
};
// The others are in the voter's panel. They are shown where the street keeps its room.
const listedExtras = ["birthYear", "party"] as const;
const listedNames = { birthYear: "Born", party: extraFields.party };
const extraClasses = { birthYear: "@max-4xl:hidden w-16", party: "@max-[88rem]:hidden w-28" };
// Street and birth year distinguish people of the same name: where not all fit, the county is left out.
const countyClass = "@max-6xl:hidden";

// Below the page's header and the search bar.
const sticky =
  "sticky top-[calc(3rem+var(--bar-height,0px))] z-2 border-b-0 bg-background shadow-[inset_0_-1px_0_var(--border)] pointer-coarse:top-[calc(3.5rem+var(--bar-height,0px))]";

type TableProps = {
  screen: VoterScreen;
  /** The searched fields. */
  fields: SearchFields;
  /** Null while the voters aren't in the chosen order. */
  order: VoterOrder | null;
  /** Null where it isn't checked who has signed. */
  marks: SignedMarks | null;
};

/** The voters found, and below them the near matches: one row each, with two lines where it is narrow. */
export function VoterTable({
  screen: { gridId, search, voters: all, active, actions },
  fields,
  order,
  marks,
}: TableProps) {
  const { page, nearMatches, found, isSearching } = search;
  const voters = page?.voters ?? [];
  const extras = listedExtras.filter((field) => all.some((voter) => voter[field]));
  const rowOf = (voter: Voter, index: number, searched: SearchFields) => (
    <VoterRow
      key={`${voter.voterId} ${index}`} // a voter file can hold an id twice
      id={rowId(gridId, index)}
      voter={voter}
      fields={searched}
      extras={extras}
      active={index === active}
      marks={marks}
      onOpen={() => actions.open(index)}
    />
  );
  const nearest = nearMatches.voters.length < pageSize ? "Near matches" : `The ${pageSize} nearest matches`;
  const heading = voters.length > 0 || isSearching || found?.isPartial ? nearest : `No exact match. ${nearest}:`;

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through and opened, as in a grid
    <table id={gridId} role="grid" aria-label="Voters found" className="w-full table-fixed border-collapse text-left">
      <thead className="@max-3xl:hidden">
        <tr>
          {columnNames.map((column) => (
            <OrderHead
              key={column}
              column={column}
              order={order}
              onOrder={search.setOrder}
              className={column === "county" && marks && countyClass}
            />
          ))}
          {extras.map((field) => (
            <TableHead key={field} className={cn(sticky, "cursor-default font-normal", extraClasses[field])}>
              {listedNames[field]}
            </TableHead>
          ))}
          {marks && <TableHead className={cn(sticky, "w-36 cursor-default font-normal")}>Signed</TableHead>}
        </tr>
      </thead>
      <tbody>{voters.map((voter, index) => rowOf(voter, index, fields))}</tbody>
      {nearMatches.voters.length > 0 && (
        <tbody>
          <tr className="border-b">
            {/* A hidden cell spans nothing, and one that spans hidden columns adds empty ones. */}
            {["@3xl:hidden", "@max-3xl:hidden"].map((hidden, wide) => (
              <th
                key={hidden}
                scope="rowgroup"
                colSpan={wide ? columnNames.length : 1}
                className={cn("px-4 pt-4 pb-1.5 font-medium text-muted-foreground text-sm", hidden)}
              >
                {heading}
              </th>
            ))}
          </tr>
          {nearMatches.voters.map((voter, index) => rowOf(voter, voters.length + index, nearMatches.fields))}
        </tbody>
      )}
    </table>
  );
}

type HeadProps = {
  column: VoterColumn;
  order: VoterOrder | null;
  className: string | false | null;
  onOrder: (order: VoterOrder) => void;
};

function OrderHead({ column, order, className, onOrder }: HeadProps) {
  const sorted = order?.column === column;
  const descending = sorted && order.descending;
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <TableHead
      aria-sort={sorted ? (descending ? "descending" : "ascending") : undefined}
      className={cn(sticky, "px-0! first:pl-1!", columns[column].width, className)}
    >
      <button
        type="button"
        onClick={() => onOrder({ column, descending: sorted && !descending })}
        className={cn(
          "flex h-8 w-full cursor-pointer items-center gap-1 rounded-md px-3 pointer-coarse:h-11 hover:text-foreground focus-visible:-outline-offset-2",
          sorted && "text-foreground",
          column === "houseNumber" && "flex-row-reverse",
        )}
      >
        <span title={sortableColumns[column]} className="truncate">
          {sortableColumns[column]}
        </span>
        {sorted && <Arrow aria-hidden className="size-3.5 shrink-0" />}
      </button>
    </TableHead>
  );
}

type RowProps = {
  id: string;
  voter: Voter;
  fields: SearchFields;
  extras: readonly (typeof listedExtras)[number][];
  /** The one that Enter opens. */
  active: boolean;
  marks: SignedMarks | null;
  onOpen: () => void;
};

function VoterRow({ id, voter, fields, extras, active, marks, onOpen }: RowProps) {
  const format = useFormat();
  const mark = marks?.get(voter.voterId);
  const isSwapped = voter.match === "swapped";
  const differing = differingColumn(voter, fields);
  const searched: SearchFields = isSwapped
    ? { ...fields, firstName: fields.lastName, lastName: fields.firstName }
    : fields;
  const textOf = (column: VoterColumn) => columns[column].text(voter) ?? "";
  const marked = (column: VoterColumn) => <Highlight text={textOf(column)} query={searched[column]} />;
  return (
    <tr
      id={id}
      aria-selected={active}
      className="relative @3xl:h-9 scroll-mt-[calc(5.5rem+var(--bar-height,8rem))] scroll-mb-4 border-b max-md:scroll-mt-36 pointer-fine:aria-selected:bg-muted pointer-fine:aria-selected:shadow-[inset_2px_0_0_var(--primary)] last:border-b-0 hover:bg-muted/60 pointer-coarse:h-11"
    >
      <td className="@3xl:hidden px-4 py-2">
        <div className="flex items-start justify-between gap-2">
          <p className="wrap-anywhere min-w-0">
            <OpenButton onOpen={onOpen}>
              {marked("lastName")}
              {textOf("lastName") && textOf("firstName") && ", "}
              {marked("firstName")}
              {!textOf("lastName") && !textOf("firstName") && "Name not given"}
            </OpenButton>
            {voter.match && " "}
            <MatchBadge voter={voter} />
          </p>
          {marks && (
            <div className="flex h-5 w-26 shrink-0 items-center justify-end">
              <SignedBadge mark={mark} />
            </div>
          )}
        </div>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          {marked("houseNumber")} {marked("street")}
          {(textOf("houseNumber") || textOf("street")) && (textOf("city") || textOf("zip")) && ", "}
          {marked("city")} {marked("zip")}
          {textOf("county") && <> · {marked("county")}</>}
          {extras.map((field) => voter[field] && ` · ${field === "birthYear" ? "born " : ""}${voter[field]}`)}
          {mark?.state === "signed" && mark.at && ` · signed ${signedAtText(mark.at, format)}`}
        </p>
      </td>
      {columnNames.map((column) => (
        <Cell
          key={column}
          title={textOf(column)}
          className={cn(
            column === "lastName" && "pl-4",
            column === "houseNumber" && "text-right",
            column === "county" && marks && countyClass,
          )}
        >
          {column === "lastName" || column === differing ? (
            <span className="flex min-w-0 flex-wrap items-center justify-between gap-x-2 gap-y-0.5 py-1">
              {column === "lastName" ? (
                <OpenButton onOpen={onOpen}>{voter.lastName ? marked(column) : "not given"}</OpenButton>
              ) : (
                <span className="truncate">{marked(column)}</span>
              )}
              {column === differing && <MatchBadge voter={voter} />}
            </span>
          ) : (
            marked(column)
          )}
        </Cell>
      ))}
      {extras.map((field) => (
        <Cell key={field} title={voter[field]} className={extraClasses[field]}>
          {voter[field]}
        </Cell>
      ))}
      {marks && (
        <Cell>
          <SignedBadge mark={mark} />
        </Cell>
      )}
    </tr>
  );
}

function Cell({ className, title, children }: { className?: string; title?: string | undefined; children: ReactNode }) {
  return (
    <TableCell title={title || undefined} className={cn("@max-3xl:hidden truncate py-0", className)}>
      {children}
    </TableCell>
  );
}

/** Covers the row and opens its voter. Not a tab stop: the fields keep the focus, and Enter opens the active row. */
function OpenButton({ onOpen, children }: { onOpen: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={onOpen}
      className="max-w-full cursor-pointer truncate text-left align-middle font-medium after:absolute after:inset-0 @max-3xl:whitespace-normal"
    >
      {children}
    </button>
  );
}
