"use client";

import { type ReactNode, useId, useState } from "react";
import { HowWorkedOut } from "@/components/progress/how-worked-out";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";

const atFirst = 8; // rows; all others on demand

/** A column: its head, what stands in a row, and for numbers that it is aligned as they are. */
type Column<Row> = { head: string; cell: (row: Row) => ReactNode; numeric?: boolean; wideOnly?: boolean };

/**
 * A table of the overview under its heading: the first rows, all of them on demand, and at the end what is not in the list.
 * `note` says what is counted.
 */
export function WorkTable<Row>({
  title,
  note,
  how,
  columns,
  rows,
  keyOf,
  rest,
  empty,
}: {
  title: string;
  note: ReactNode;
  /** How what stands in it is worked out, where that does not go without saying. */
  how?: ReactNode;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** What stands for all further ones: `and 12 more, with 300 lines`. */
  rest: string | null;
  /** Said in place of the table when there is no row. */
  empty: ReactNode;
}) {
  const id = useId();
  const { number } = useFormat();
  const [all, setAll] = useState(false);
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {rows.length === 0 ? (
        <p className="rounded-md border px-4 py-3 text-muted-foreground">{empty}</p>
      ) : (
        <>
          <div className="overflow-hidden rounded-md border">
            <Table aria-labelledby={id}>
              <thead>
                <tr>
                  {columns.map(({ head, numeric, wideOnly }) => (
                    <TableHead key={head} className={aligned({ numeric, wideOnly })}>
                      {head}
                    </TableHead>
                  ))}
                </tr>
              </thead>
              <tbody>
                {(all ? rows : rows.slice(0, atFirst)).map((row) => (
                  <TableRow key={keyOf(row)}>
                    {columns.map(({ head, cell, numeric, wideOnly }) => (
                      <TableCell key={head} className={aligned({ numeric, wideOnly })}>
                        {cell(row)}
                      </TableCell>
                    ))}
                  </TableRow>
                ))}
              </tbody>
            </Table>
            {rest && (all || rows.length <= atFirst) && (
              <p className="border-t px-4 py-1.5 text-muted-foreground text-sm">{rest}</p>
            )}
          </div>
          {rows.length > atFirst && (
            <Button variant="ghost" className="self-start" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? `Show the first ${atFirst}` : `Show all ${number(rows.length)}`}
              <span className="sr-only"> of {title.toLowerCase()}</span>
            </Button>
          )}
          <p className="text-muted-foreground text-sm">{note}</p>
          {how && <HowWorkedOut>{how}</HowWorkedOut>}
        </>
      )}
    </section>
  );
}

const aligned = ({ numeric, wideOnly }: { numeric?: boolean | undefined; wideOnly?: boolean | undefined }) =>
  [numeric ? "whitespace-nowrap text-right" : "wrap-anywhere w-full min-w-28", wideOnly && "max-sm:hidden"]
    .filter(Boolean)
    .join(" ");
