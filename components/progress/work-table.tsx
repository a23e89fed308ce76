"use client";

import { type ReactNode, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";

const firstRows = 8; // the rest on demand

type Column<Row> = { head: string; cell: (row: Row) => ReactNode; numeric?: boolean; wideOnly?: boolean };
type Rows<Row> = { columns: Column<Row>[]; rows: Row[]; keyOf: (row: Row) => string };

/** A table of rows by its columns. */
export function ColumnTable<Row>({
  columns,
  rows,
  keyOf,
  headClassName,
  ...named
}: Rows<Row> & { headClassName?: string; "aria-label": string }) {
  return (
    <Table {...named}>
      <thead className={headClassName}>
        <tr>
          {columns.map((column) => (
            <TableHead key={column.head} className={alignment(column)}>
              {column.head}
            </TableHead>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow key={keyOf(row)}>
            {columns.map((column) => (
              <TableCell key={column.head} className={alignment(column)}>
                {column.cell(row)}
              </TableCell>
            ))}
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

const alignment = <Row,>({ numeric, wideOnly }: Column<Row>) =>
  [numeric ? "whitespace-nowrap text-right" : "wrap-anywhere w-full min-w-28", wideOnly && "max-sm:hidden"]
    .filter(Boolean)
    .join(" ");

/** A titled table of the overview: its first rows, all of them on demand, and a line for what isn't listed. */
export function WorkTable<Row>({
  title,
  note,
  method,
  rest,
  empty,
  rows,
  ...table
}: Rows<Row> & {
  title: string;
  /** What is counted. */
  note: string;
  /** How it is calculated, where that needs explaining. */
  method?: string;
  /** What isn't listed: `12 more, with 300 lines`. */
  rest: string | null;
  empty: string;
}) {
  const { number } = useFormat();
  const [all, setAll] = useState(false);
  return (
    <Section title={title} className="gap-2">
      {rows.length === 0 ? (
        <p className="rounded-md border px-4 py-3 text-muted-foreground">{empty}</p>
      ) : (
        <>
          <div className="overflow-hidden rounded-md border">
            <ColumnTable aria-label={title} rows={all ? rows : rows.slice(0, firstRows)} {...table} />
            {rest && (all || rows.length <= firstRows) && (
              <p className="border-t px-4 py-1.5 text-muted-foreground text-sm">{rest}</p>
            )}
          </div>
          {rows.length > firstRows && (
            <Button variant="ghost" className="self-start" aria-expanded={all} onClick={() => setAll(!all)}>
              {all
                ? `Show first ${firstRows}`
                : rest
                  ? `Show first ${number(rows.length)}`
                  : `Show all ${number(rows.length)}`}
              <span className="sr-only"> {title.toLowerCase()}</span>
            </Button>
          )}
          <p className="text-muted-foreground text-sm">{note}</p>
          {method && (
            <details className="text-muted-foreground text-sm">
              <summary className="w-fit cursor-pointer hover:text-foreground pointer-coarse:py-3">
                How is this calculated?
              </summary>
              <p className="pt-1">{method}</p>
            </details>
          )}
        </>
      )}
    </Section>
  );
}
