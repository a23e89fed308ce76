"use client";
import { type ReactNode, useState } from "react";
import { duplicatesText, rateText } from "@/components/progress/number-text";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { Disclosure, Section } from "@/components/ui/section";
import { SortHead, Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import type { Format } from "@/lib/format/format-of";
import { compareTexts } from "@/lib/format/text";

const firstRows = 8; // the rest on demand

/**
 * Columns with `by` sort the rows: text from its start, numbers from the highest; missing values are last. On a phone, those with
 * `wideOnly` are in the first one.
 */
type Column<Row> = {
  head: string;
  cell: (row: Row) => ReactNode;
  by?: (row: Row) => string | number | null;
  numeric?: boolean;
  wideOnly?: boolean;
};
type Rows<Row> = { columns: Column<Row>[]; rows: Row[]; keyOf: (row: Row) => string };

/** A table of rows by its columns, the first `limit` of them. */
export function ColumnTable<Row>({
  columns,
  rows,
  keyOf,
  limit,
  headClassName,
  ...named
}: Rows<Row> & { limit?: number | undefined; headClassName?: string; "aria-label": string }) {
  const [sort, setSort] = useState<{ head: string; back: boolean } | null>(null);
  const sorted = columns.find(({ head }) => head === sort?.head);
  const wide = columns.filter(({ wideOnly }) => wideOnly);
  const order = Boolean(sorted?.numeric) !== Boolean(sort?.back) ? "descending" : "ascending";
  return (
    <Table {...named}>
      <thead className={headClassName}>
        <tr>
          {columns.map((column) =>
            column.by ? (
              <SortHead
                key={column.head}
                sorted={column === sorted ? order : undefined}
                onSort={() => setSort({ head: column.head, back: column === sorted && !sort?.back })}
                className={alignment(column)}
              >
                {column.head}
              </SortHead>
            ) : (
              <TableHead key={column.head} className={alignment(column)}>
                {column.head}
              </TableHead>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {sortedRows(rows, sorted?.by, order)
          .slice(0, limit)
          .map((row) => (
            <TableRow key={keyOf(row)}>
              {columns.map((column, index) => (
                <TableCell key={column.head} className={alignment(column)}>
                  {column.cell(row)}
                  {index === 0 && wide.length > 0 && (
                    <span className="flex flex-wrap gap-x-3 text-muted-foreground text-sm sm:hidden">
                      {wide.map(({ head, cell }) => (
                        <span key={head}>
                          {head}: {cell(row)}
                        </span>
                      ))}
                    </span>
                  )}
                </TableCell>
              ))}
            </TableRow>
          ))}
      </tbody>
    </Table>
  );
}

function sortedRows<Row>(rows: Row[], by: Column<Row>["by"], order: "ascending" | "descending") {
  if (!by) return rows;
  const sign = order === "ascending" ? 1 : -1;
  return rows.toSorted((row, other) => {
    const [a, b] = [by(row), by(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (typeof a === "string" ? compareTexts(a, String(b)) : a - Number(b));
  });
}

const alignment = <Row,>({ numeric, wideOnly }: Column<Row>) =>
  [numeric ? "whitespace-nowrap px-2 text-right" : "wrap-anywhere w-full min-w-28", wideOnly && "max-sm:hidden"]
    .filter(Boolean)
    .join(" ");

/** A table with its first rows, and all of them on demand. A last line sums up what isn't listed: `12 more, with 300 lines`. */
export function ListTable<Row>({ label, more, ...table }: Rows<Row> & { label: string; more: string | null }) {
  const { number } = useFormat();
  const [all, setAll] = useState(false);
  const { length } = table.rows;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="overflow-x-auto rounded-md border">
        <ColumnTable aria-label={label} limit={all ? undefined : firstRows} {...table} />
        {more && (all || length <= firstRows) && (
          <p className="border-t px-4 py-1.5 text-muted-foreground text-sm">{more}</p>
        )}
      </div>
      {length > firstRows && (
        <Button variant="ghost" className="self-start" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? `Show first ${firstRows}` : more ? `Show first ${number(length)}` : `Show all ${number(length)}`}
          <span className="sr-only"> {label.toLowerCase()}</span>
        </Button>
      )}
    </div>
  );
}

/** A titled table of the overview, or a text if it is empty. */
export function WorkTable<Row>({
  id,
  title,
  action,
  note,
  method,
  empty,
  ...table
}: Rows<Row> & {
  id?: string;
  title: string;
  action?: ReactNode;
  /** What is counted. */
  note: ReactNode;
  /** How it is calculated, where that needs explaining. */
  method?: string;
  more: string | null;
  empty: string;
}) {
  return (
    <Section id={id} title={title} action={action} className="gap-2">
      {table.rows.length === 0 ? (
        <p className="rounded-md border px-4 py-3 text-muted-foreground">{empty}</p>
      ) : (
        <>
          <ListTable label={title} {...table} />
          <p className="text-muted-foreground text-sm">{note}</p>
          {method && (
            <Disclosure summary="How is this calculated?">
              <p className="pt-1">{method}</p>
            </Disclosure>
          )}
        </>
      )}
    </Section>
  );
}

type Tally = { lines: number; accepted: number; duplicates: number };

/** The columns of counted lines. */
export function tallyColumns(format: Format) {
  const { number } = format;
  return {
    lines: { head: "Lines", numeric: true, cell: (row: Tally) => number(row.lines), by: (row: Tally) => row.lines },
    valid: {
      head: "Valid",
      numeric: true,
      cell: (row: Tally) => number(row.accepted),
      by: (row: Tally) => row.accepted,
    },
    rate: {
      head: "Validity rate",
      numeric: true,
      cell: (row: Tally) => rateText(row, format)?.rate ?? "–",
      by: (row: Tally) => (row.lines === 0 ? null : row.accepted / row.lines),
    },
    range: {
      head: "95% range",
      numeric: true,
      wideOnly: true,
      cell: (row: Tally) => <span className="text-muted-foreground">{rateText(row, format)?.interval}</span>,
    },
    duplicates: {
      head: "Duplicates",
      numeric: true,
      cell: (row: Tally) => duplicatesText(row, format),
      by: (row: Tally) => row.duplicates,
    },
  };
}
