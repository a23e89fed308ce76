import { useRef } from "react";
import { stickyFoot } from "@/components/charts/drawing/chart-table";
import { usePaperWidth } from "@/components/charts/drawing/use-paper-width";
import { ScrollArea } from "@/components/ui/section";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { kindLabels, recordNounPlural } from "@/lib/charts/definition/words";
import { axisValueText, columnFormat, formatValue, metricLabel, metricUnit } from "@/lib/charts/display/chart-text";
import { heatMap } from "@/lib/charts/display/heat-map";
import { type ChartSubject, cellOf, groupColumns } from "@/lib/charts/display/model";
import type { OnCellClick } from "@/lib/charts/display/points";

const maxColumnsOnPaper = 16; // others follow below
const edge = "sticky bg-background";
const totalEdge = "font-semibold shadow-[inset_1px_0_var(--border)]";

/**
 * A row for each value of the first group and a column for each of the second. In a heat map, the larger a number, the darker
 * its cell; a pivot table is the same without shading. On paper, many columns are several tables.
 */
export function ChartHeatMap({ name, subject, onCell }: { name: string; subject: ChartSubject; onCell?: OnCellClick }) {
  const { kind, result, columns } = subject;
  const section = useRef<HTMLElement>(null);
  const isOnPaper = usePaperWidth(section) !== null;
  const map = heatMap(subject);
  const what = kindLabels[kind].toLowerCase();
  if (!map)
    return <p className="m-auto p-4 text-muted-foreground">There are too many groups for a {what}. See the table.</p>;
  const { metric, rows, across, largest, total } = map;
  const unit = metricUnit(metric);
  const all = [...(total ?? []), ...rows.flatMap(({ cells }) => cells.map(({ value }) => value))];
  const format = columnFormat(
    subject.format,
    all.map((value) => formatValue(value, subject.format, unit)),
  );
  const [side] = groupColumns(subject);
  const size = isOnPaper ? maxColumnsOnPaper : across.length;
  const begins = across.flatMap((_, index) => (index % size === 0 ? index : []));
  return (
    <ScrollArea
      ref={section}
      aria-label={`${name}, ${what} of ${metricLabel(metric, columns, result.source)}`}
      className="min-h-0 overflow-auto rounded-md border print:overflow-visible print:[&_th]:static"
    >
      {begins.map((begin) => {
        const end = begin + size;
        const isLast = end >= across.length;
        return (
          <Table
            key={begin}
            className="print:mb-4 text-xs [&_:is(th,td)]:px-1.5 [&_:is(th,td):first-child]:pl-2 [&_:is(th,td):last-child]:pr-2 [&_td]:text-right"
          >
            <thead>
              <tr>
                <TableHead className={`${edge} top-0 left-0 z-2 align-bottom`}>{side?.label}</TableHead>
                {across.slice(begin, end).map(({ id, label }) => (
                  <TableHead
                    key={id}
                    // Hours stay in one line; names wrap.
                    className={`${edge} top-0 z-1 h-auto min-w-9 py-1 text-right align-bottom ${label.length > 7 ? "whitespace-normal" : ""}`}
                  >
                    {label}
                  </TableHead>
                ))}
                {total && isLast && (
                  <TableHead className={`${edge} ${totalEdge} top-0 z-1 text-right align-bottom`}>Total</TableHead>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <TableRow key={row.id} className="h-7 pointer-coarse:h-11">
                  <th scope="row" className={`${edge} left-0 z-1 max-w-32 truncate text-left font-medium`}>
                    {row.label}
                  </th>
                  {row.cells.slice(begin, end).map(({ value, row: source }, index) => {
                    const columnIndex = begin + index;
                    const text = value === null ? "" : axisValueText(value, format, unit);
                    const cell = source && cellOf(source, metric);
                    return (
                      <TableCell
                        key={across[columnIndex]?.id}
                        title={`${row.label}, ${across[columnIndex]?.label}: ${formatValue(value, format, unit)}`}
                        style={{ background: kind === "heat-map" ? ground(value, largest) : undefined }}
                      >
                        {onCell && cell ? (
                          <button
                            type="button"
                            aria-label={`${text}: show ${recordNounPlural(result.source)}`}
                            className="size-full cursor-pointer text-right underline-offset-4 hover:underline"
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
                  {total && isLast && (
                    <TableCell className={totalEdge}>{formatValue(row.total, format, unit)}</TableCell>
                  )}
                </TableRow>
              ))}
            </tbody>
            {total && (
              <tfoot className={`${stickyFoot} z-2`}>
                <TableRow className="h-7">
                  <th scope="row" className={`${edge} left-0 z-1 text-left font-medium`}>
                    Total
                  </th>
                  {total.slice(begin, isLast ? undefined : end).map((value, index) => (
                    <TableCell
                      key={across[begin + index]?.id ?? "all"}
                      className={begin + index < across.length ? "font-semibold" : totalEdge}
                    >
                      {formatValue(value, format, unit)}
                    </TableCell>
                  ))}
                </TableRow>
              </tfoot>
            )}
          </Table>
        );
      })}
    </ScrollArea>
  );
}

// Uses at most half the color, so that the number stays readable in both themes.
function ground(value: number | null, largest: number) {
  const part = value === null || largest === 0 ? 0 : Math.abs(value) / largest;
  return part === 0 ? undefined : `color-mix(in oklab, var(--chart-1) ${Math.round(4 + 46 * part)}%, transparent)`;
}
