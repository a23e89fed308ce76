import { ArrowDown, ArrowUp } from "lucide-react";
import { TableHead } from "@/components/ui/table";
import { VoterRow } from "@/components/voters/voter-row";
import type { SignedMarks } from "@/lib/signatures/signed-mark";
import { cn } from "@/lib/utils";
import type { Voter } from "@/lib/voters/read-hit";
import {
  columnNames,
  pageSize,
  type VoterColumn,
  type VoterOrder,
  type VoterTexts,
  voterColumns,
} from "@/lib/voters/voter-query";

const widths: Record<VoterColumn, string> = {
  lastName: "w-[19%]",
  firstName: "w-[13%]",
  houseNumber: "w-24",
  street: "",
  city: "w-[12%]",
  zip: "w-18",
  county: "w-[11%]",
};

// Below the page's header and the bar of the search.
const stays =
  "sticky top-[calc(3rem+var(--bar-height,0px))] z-2 border-b-0 bg-background shadow-[inset_0_-1px_0_var(--border)] pointer-coarse:top-[calc(3.5rem+var(--bar-height,0px))]";

/** The id of a row, by its place on the page. */
export const rowId = (gridId: string, index: number) => `${gridId}-${index}`;

/** The voters that were found, one a row, and those who may be meant below them; in a narrow place two lines a voter. The fields above move through it. */
export function VoterTable({
  id,
  voters,
  texts,
  similar,
  order,
  active,
  marks,
  onOrder,
  onOpen,
}: {
  id: string;
  voters: readonly Voter[];
  texts: VoterTexts;
  /** Those who may be meant as well, and what of them was searched for. Their rows count on from the voters'. */
  similar: { voters: readonly Voter[]; texts: VoterTexts };
  /** Null while they stand in another one than was chosen. */
  order: VoterOrder | null;
  active: number;
  /** Who of them has signed, where that is asked. */
  marks?: SignedMarks;
  onOrder: (order: VoterOrder) => void;
  onOpen: (index: number) => void;
}) {
  const rowOf = (voter: Voter, index: number, searched: VoterTexts) => (
    <VoterRow
      // A voter file can hold an id twice: the place on the page tells such rows apart.
      key={`${voter.voterId} ${index}`}
      id={rowId(id, index)}
      voter={voter}
      texts={searched}
      active={index === active}
      {...(marks && { signed: { mark: marks.get(voter.voterId) } })}
      onOpen={() => onOpen(index)}
    />
  );
  const columns = columnNames.length + (marks ? 1 : 0);
  const similarOnes = similar.voters.length < pageSize ? "Similar voters" : `The ${pageSize} nearest of similar voters`;
  const heading = voters.length > 0 ? similarOnes : `No voter is written exactly so. ${similarOnes}:`;

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are moved through and opened, as in a grid
    <table id={id} role="grid" aria-label="Voters found" className="w-full table-fixed border-collapse text-left">
      <thead className="@max-3xl:hidden">
        <tr>
          {columnNames.map((column) => {
            const sorted = order?.column === column;
            const Arrow = order?.descending ? ArrowDown : ArrowUp;
            return (
              <TableHead
                key={column}
                aria-sort={sorted ? (order.descending ? "descending" : "ascending") : undefined}
                className={cn(
                  stays,
                  "px-0! first:pl-1!",
                  widths[column],
                  column === "county" && marks && "@max-5xl:hidden",
                )}
              >
                <button
                  type="button"
                  onClick={() => onOrder({ column, descending: sorted && !order.descending })}
                  className={cn(
                    "flex h-8 w-full cursor-pointer items-center gap-1 rounded-md px-3 pointer-coarse:h-11 hover:text-foreground focus-visible:-outline-offset-2",
                    sorted && "text-foreground",
                    column === "houseNumber" && "flex-row-reverse",
                  )}
                >
                  <span title={voterColumns[column]} className="truncate">
                    {voterColumns[column]}
                  </span>
                  {sorted && <Arrow aria-hidden className="size-3.5 shrink-0" />}
                </button>
              </TableHead>
            );
          })}
          {marks && <TableHead className={cn(stays, "w-36")}>Signed</TableHead>}
        </tr>
      </thead>
      <tbody>{voters.map((voter, index) => rowOf(voter, index, texts))}</tbody>
      {similar.voters.length > 0 && (
        <tbody>
          <tr>
            {/* A hidden cell spans nothing: each width has its own. */}
            {["@3xl:hidden", "@max-3xl:hidden"].map((hidden, wide) => (
              <th
                key={hidden}
                scope="rowgroup"
                colSpan={wide ? columns : 1}
                className={cn("border-b px-4 pt-4 pb-1.5 font-medium text-muted-foreground text-sm", hidden)}
              >
                {heading}
              </th>
            ))}
          </tr>
          {similar.voters.map((voter, index) => rowOf(voter, voters.length + index, similar.texts))}
        </tbody>
      )}
    </table>
  );
}
