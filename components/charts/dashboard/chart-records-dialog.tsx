"use client";

import { ChevronLeft, ChevronRight, Download, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Age } from "@/components/charts/dashboard/age";
import { saveFile } from "@/components/charts/dashboard/save-file";
import { useFormat } from "@/components/shell/format-provider";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { isPlace } from "@/lib/charts/definition/columns";
import { dashboardPath } from "@/lib/charts/definition/dashboard";
import type { ChartQuery } from "@/lib/charts/definition/definition";
import type { ChartResult } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import type { ChartRecords } from "@/lib/charts/definition/stored-chart";
import { metricLabel } from "@/lib/charts/definition/words";
import { groupColumns } from "@/lib/charts/display/model";
import type { ChartCell } from "@/lib/charts/display/points";
import { groupText, metricText, rowLabel } from "@/lib/charts/display/texts";
import { type Answer, askSignet } from "@/lib/http/ask-signet";
import type { Place } from "@/lib/ids";

const pageSize = 50;
const fileTimeoutMs = 600_000; // it comes in pages, each with 15 s of its own

/** A number of a chart that somebody wants to see the records of. */
export type OpenedCell = {
  name: string;
  query: ChartQuery;
  result: ChartResult;
  columns: ChartColumn[];
  cell: ChartCell;
};

/** Exactly the records that a number of a chart counts, page by page, and all of them as a file. */
export function ChartRecordsDialog({
  place,
  opened,
  onClose,
}: {
  place: Place;
  opened: OpenedCell;
  onClose: () => void;
}) {
  const format = useFormat();
  const id = useId();
  const dashboard = dashboardPath(place);
  const isSame = (column: string) => isPlace(column) && (column === "team_id" || place.campaign !== undefined);
  const dialog = useRef<HTMLDialogElement>(null);
  const [offset, setOffset] = useState(0);
  const [attempt, setAttempt] = useState(0);
  const [read, setRead] = useState<{ offset: number; answer: Answer<ChartRecords> } | null>(null);
  const [saving, setSaving] = useState<string | null>(null);
  useEffect(() => dialog.current?.showModal(), []);

  const { name, query, result, columns, cell } = opened;
  const metric = query.metrics.find(({ key }) => key === cell.metricKey);
  const { source, groupBy, filters } = query;
  const asked = { source, groupBy, filters, group: cell.group, metric, at: result.generatedAt };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the cell never changes while the dialog is open
  useEffect(() => {
    const asking = new AbortController();
    const records = async () => {
      const answer = await askSignet(`${dashboard}/records`, {
        body: { cell: asked, offset, limit: pageSize },
        schema: async () => (await import("@/lib/charts/definition/stored-chart")).recordsAnswer,
        signal: asking.signal,
      });
      if (!asking.signal.aborted) setRead({ offset, answer });
    };
    void records();
    return () => asking.abort();
  }, [offset, attempt]);

  const page = read && "body" in read.answer ? read.answer.body : null;
  const failure = read && !("body" in read.answer) ? read.answer : null;
  const waiting = read?.offset !== offset;
  const row = result.rows.find(({ group }) => group === cell.group);
  const value = row?.values[cell.metricKey] ?? null;
  const label = row ? rowLabel(row, groupColumns({ result, columns }), format) : "";
  const shown = page?.columns.flatMap(({ type, ...column }, index) =>
    type === "uuid" || isSame(column.name) ? [] : [{ ...column, type, index }],
  );
  const counted = metric?.aggregation === "count" ? value : null;
  const last = Math.min(offset + pageSize, page?.total ?? 0);

  const saveCsv = async () => {
    setSaving("Reading all records…");
    const answer = await askSignet(`${dashboard}/records-csv`, {
      body: { cell: asked, name },
      timeoutMs: fileTimeoutMs,
    });
    if ("body" in answer) saveFile(`${name}, ${label}.csv`, answer.body);
    setSaving("body" in answer ? "Saved." : answer.error);
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      closedby="any"
      onClose={onClose}
      className="m-auto max-h-[calc(100dvh-2rem)] w-5xl max-w-[calc(100vw-2rem)] flex-col rounded-md border bg-popover shadow-popover backdrop:bg-[oklch(0_0_0/0.4)] open:flex max-md:mb-0 max-md:w-full max-md:max-w-full max-md:rounded-b-none"
    >
      <div className="flex items-start gap-2 border-b py-2 pr-2 pl-4">
        <div className="min-w-0 flex-1 py-1">
          <h2 id={id} className="wrap-anywhere font-semibold text-lg">
            {label}
          </h2>
          <p className="wrap-anywhere text-muted-foreground text-sm">
            {name} · {metric && metricLabel(metric, columns)}: {metric && metricText(value, metric, columns, format)},{" "}
            as of {format.dateTime(result.generatedAt)}
          </p>
        </div>
        <Button variant="ghost" size="icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          <X aria-hidden />
        </Button>
      </div>
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1.5">
        <p role="status" className="text-sm">
          {page && !waiting && (
            <>
              <span className="font-medium">{format.count(page.total, "record")}</span> as of now
              {page.total > 0 && `, ${format.number(offset + 1)} to ${format.number(last)} shown`}
              {counted !== null && counted !== page.total && (
                <span className="text-muted-foreground">
                  {" "}
                  · the chart counted {format.number(counted)}, as they were <Age at={result.generatedAt} />
                </span>
              )}
            </>
          )}
          {waiting && <span className="appear-late text-muted-foreground">Reading…</span>}
        </p>
        <p role="status" className="text-muted-foreground text-sm">
          {saving}
        </p>
        <div className="ml-auto flex items-center gap-1">
          <Button variant="outline" onClick={() => void saveCsv()}>
            <Download aria-hidden />
            CSV
          </Button>
          <Button
            variant="outline"
            size="icon"
            aria-label={`Previous ${pageSize} records`}
            aria-disabled={waiting || offset === 0}
            onClick={() => waiting || setOffset(Math.max(0, offset - pageSize))}
          >
            <ChevronLeft aria-hidden />
          </Button>
          <Button
            variant="outline"
            size="icon"
            aria-label={`Next ${pageSize} records`}
            aria-disabled={waiting || last >= (page?.total ?? 0)}
            onClick={() => waiting || last >= (page?.total ?? 0) || setOffset(offset + pageSize)}
          >
            <ChevronRight aria-hidden />
          </Button>
        </div>
      </div>
      <div role="alert">
        {failure && (
          <div className="flex flex-col items-start gap-3 p-4">
            <Alert>{failure.error}</Alert>
            <Button variant="outline" onClick={() => setAttempt(attempt + 1)}>
              Try again
            </Button>
          </div>
        )}
      </div>
      <section
        aria-label="Records"
        aria-busy={waiting}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        tabIndex={0}
        className="h-112 min-h-0 overflow-auto focus-visible:-outline-offset-2"
      >
        {page && shown && page.total > 0 && (
          <Table>
            <thead>
              <tr>
                {shown.map(({ name: column, label: head }) => (
                  <TableHead key={column} className="sticky top-0 bg-popover shadow-[inset_0_-1px_var(--border)]">
                    {head}
                  </TableHead>
                ))}
              </tr>
            </thead>
            <tbody>
              {page.records.map((record, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a page is shown as a whole
                <TableRow key={index}>
                  {shown.map(({ name: column, type, index: at }) => (
                    <TableCell
                      key={column}
                      className={record[at] === null ? "whitespace-nowrap text-muted-foreground" : "max-w-64 truncate"}
                      title={record[at] === null ? undefined : String(record[at])}
                    >
                      {groupText(record[at], { type }, format)}
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </tbody>
          </Table>
        )}
        {page?.total === 0 && (
          <p className="p-4 text-muted-foreground">
            No record is behind this number now. Close this and generate the chart anew.
          </p>
        )}
      </section>
    </dialog>
  );
}
