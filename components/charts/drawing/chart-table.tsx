import { type ComponentProps, useState } from "react";
import { Button } from "@/components/ui/button";
import { ScrollArea } from "@/components/ui/section";
import { SortHead, Table, TableCell, TableRow } from "@/components/ui/table";
import type { ChartOrder } from "@/lib/charts/definition/definition";
import { type Aggregation, recordNounPlural } from "@/lib/charts/definition/words";
import { columnFormat, formatGroupValue, metricLabel, metricText } from "@/lib/charts/display/chart-text";
import { inOrder } from "@/lib/charts/display/derive-numbers";
import { totalOf } from "@/lib/charts/display/fold-others";
import { type ChartSubject, cellOf, groupColumns } from "@/lib/charts/display/model";
import type { OnCellClick } from "@/lib/charts/display/points";
import { cn } from "@/lib/utils";

const pageSize = 100;
const head = "sticky top-0 bg-background shadow-[inset_0_-1px_var(--border)]";

/** Totals, visible while the rows above them scroll; on paper once, at the end. */
export const stickyFoot =
  "sticky bottom-0 bg-background shadow-[inset_0_1px_var(--border)] print:static print:table-row-group";

const withoutTotal: Partial<Record<Aggregation, string>> = {
  avg: "Averages don't add up",
  median: "Medians don't add up",
  distinct: "Unique values don't add up",
};

type Props = {
  name: string;
  subject: ChartSubject;
  onCell?: OnCellClick;
  /** Called with the order that is asked for; without it the table is sorted here only. */
  onSort?: OnOrder;
};

/** All groups of a chart with all their numbers, sorted by the column whose header was clicked. */
export function ChartTable({ name, subject, onCell, onSort }: Props) {
  const [shown, setShown] = useState(pageSize);
  const [chosen, setChosen] = useState<ChartOrder>();
  const { result, columns, format } = subject;
  const groups = groupColumns(subject);
  const order = (!onSort && chosen) || result.order;
  const rows = (order === result.order ? result.rows : inOrder(result.rows, order)).slice(0, shown);
  const sort = onSort ?? setChosen;
  const totals = result.metrics.map((metric) => totalOf(metric, result.rows));
  const reasons = result.metrics.map(({ derived, aggregation }, index) =>
    totals[index] == null && !derived ? withoutTotal[aggregation] : undefined,
  );
  const formats = result.metrics.map((metric, index) => {
    const values = [...result.rows.map((row) => row.values[metric.key] ?? null), totals[index] ?? null];
    return columnFormat(
      format,
      values.map((value) => metricText(value, metric, columns, format)),
    );
  });
  return (
    <ScrollArea
      aria-label={`${name}, table`}
      className="min-h-0 overflow-auto rounded-md border print:overflow-visible print:[&_th]:static print:[&_:is(th,td)]:min-w-0 print:[&_:is(th,td)]:whitespace-normal print:[&_:is(th,td)]:px-1.5"
    >
      <Table>
        <thead>
          <tr>
            {groups.map(({ name: column, label }) => (
              <SortHead key={column} {...sorting({ column }, order, sort)} className={head}>
                {label}
              </SortHead>
            ))}
            {result.metrics.map((metric) => (
              <SortHead
                key={metric.key}
                {...sorting({ by: metric.key }, order, sort)}
                className={`${head} h-auto min-w-16 whitespace-normal px-1.5 py-1 text-right`}
              >
                {metricLabel(metric, columns, result.source)}
              </SortHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row holds no state
            <TableRow key={index}>
              {groups.map((column) => {
                const value = row.group[column.name];
                const hasValue = value !== null && value !== undefined && value !== "";
                return (
                  <TableCell
                    key={column.name}
                    className={cn("min-w-20 break-words pr-1.5", hasValue || "text-muted-foreground")}
                  >
                    {formatGroupValue(value, column, format)}
                  </TableCell>
                );
              })}
              {result.metrics.map((metric, metricIndex) => {
                const value = row.values[metric.key] ?? null;
                const text = metricText(value, metric, columns, formats[metricIndex] ?? format);
                const cell = cellOf(row, metric);
                return (
                  <TableCell
                    key={metric.key}
                    title={value === null ? undefined : String(value)}
                    className={cn("whitespace-nowrap px-1.5 text-right", value === null && "text-muted-foreground")}
                  >
                    {onCell && cell ? (
                      <button
                        type="button"
                        aria-label={`${text}: show ${recordNounPlural(result.source)}`}
                        className="-mx-1 cursor-pointer rounded-md px-1 underline decoration-border underline-offset-4 hover:decoration-current pointer-coarse:min-h-11 pointer-coarse:min-w-11 pointer-coarse:text-right"
                        onClick={() => onCell(cell)}
                      >
                        {text}
                      </button>
                    ) : (
                      text
                    )}
                  </TableCell>
                );
              })}
            </TableRow>
          ))}
        </tbody>
        {result.rows.length > 1 && totals.some((total) => total !== null) && (
          <tfoot className={`${stickyFoot} font-medium`}>
            <tr>
              {groups.map(({ name: column }, index) => (
                <TableCell key={column}>
                  {index === 0 && "Total"}
                  {index === 0 && (
                    <span className="block font-normal text-muted-foreground text-xs empty:hidden">
                      {[...new Set(reasons)].filter(Boolean).join(". ")}
                    </span>
                  )}
                </TableCell>
              ))}
              {result.metrics.map((metric, index) => (
                <TableCell key={metric.key} className="whitespace-nowrap px-1.5 text-right">
                  {totals[index] != null && metricText(totals[index], metric, columns, formats[index] ?? format)}
                  {reasons[index] && "–"}
                </TableCell>
              ))}
            </tr>
          </tfoot>
        )}
      </Table>
      {shown < result.rows.length && (
        <div className="flex items-center justify-between gap-3 border-t px-4 py-2 text-sm">
          <p data-note className="text-muted-foreground">
            {format.whole(shown)} of {format.count(result.rows.length, "group")}
          </p>
          <Button variant="outline" onClick={() => setShown(shown + pageSize)}>
            Show {Math.min(pageSize, result.rows.length - shown)} more
          </Button>
        </div>
      )}
    </ScrollArea>
  );
}

/** Sorts by a number or column; undefined is the usual order. */
export type OnOrder = ((order: ChartOrder | undefined) => void) | undefined;

// Numbers start with the largest, names with A. The third click restores the usual order.
function sorting(
  by: { by: string } | { column: string },
  order: ChartOrder | undefined,
  onSort: NonNullable<OnOrder>,
): Pick<ComponentProps<typeof SortHead>, "sorted" | "onSort"> {
  const isNumber = "by" in by;
  const isSorted =
    order !== undefined &&
    (isNumber ? "by" in order && order.by === by.by : "column" in order && order.column === by.column);
  const next = !isSorted ? isNumber : order.descending === isNumber ? !isNumber : undefined;
  return {
    sorted: isSorted ? (order.descending ? "descending" : "ascending") : undefined,
    onSort: () => onSort(next === undefined ? undefined : { ...by, descending: next }),
  };
}
