import { Download, ExternalLink } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Age } from "@/components/charts/dashboard/freshness";
import { fileName, saveFile } from "@/components/charts/dashboard/save-file";
import { useFormat } from "@/components/shell/format-provider";
import { usePlaces } from "@/components/shell/navigation/places-provider";
import { Pager } from "@/components/shell/pager";
import { useQuery } from "@/components/shell/use-query";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { ScrollArea } from "@/components/ui/section";
import { SortHead, Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { isPlace } from "@/lib/charts/definition/columns";
import { dashboardPath } from "@/lib/charts/definition/dashboard";
import type { ChartFilter, ChartQuery } from "@/lib/charts/definition/definition";
import { isPeriod } from "@/lib/charts/definition/period";
import type { ChartResult, RecordsSort } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import type { ChartRecords } from "@/lib/charts/definition/stored-chart";
import { recordNoun, recordNounPlural } from "@/lib/charts/definition/words";
import { formatGroupValue, metricLabel, metricText, rowLabel } from "@/lib/charts/display/chart-text";
import { groupColumns } from "@/lib/charts/display/model";
import type { ChartCell } from "@/lib/charts/display/points";
import { capitalized } from "@/lib/format/text";
import { callApi, unwrapBody } from "@/lib/http/call-api";
import type { Place } from "@/lib/ids";
import { registerPath } from "@/lib/signatures/register/register-path";

const pageSize = 50;
const fileTimeoutMs = 600_000; // it is read in pages with 15 s each

/** A number of a chart whose records someone wants to see. */
export type OpenedCell = {
  name: string;
  query: ChartQuery;
  result: ChartResult;
  columns: ChartColumn[];
  cell: ChartCell;
  /** The dashboard's filter, if it applies to the chart. */
  filterText: string | null;
};

type Props = { place: Place; opened: OpenedCell; onClose: () => void };

/** The records that a number of a chart counts, by pages and as a file. */
export function ChartRecordsDialog({ place, opened, onClose }: Props) {
  const { name, query, result, columns, cell, filterText } = opened;
  const format = useFormat();
  const dashboard = dashboardPath(place);
  const [offset, setOffset] = useState(0);
  const [sort, setSort] = useState<RecordsSort | null>(null);
  const [saving, setSaving] = useState<string | null>(null);
  const { source, groupBy, filters } = query;
  const metric = query.metrics.find(({ key }) => key === cell.metricKey);
  const cellQuery = { source, groupBy, filters, group: cell.group, metric, at: result.generatedAt };

  const {
    data: page,
    error: failure,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ["chart-records", dashboard, cellQuery, offset, sort],
    queryFn: ({ signal }) =>
      unwrapBody(
        callApi(`${dashboard}/records`, {
          body: { cell: cellQuery, offset, limit: pageSize, sort },
          schema: async () => (await import("@/lib/charts/definition/stored-chart")).recordsResponseSchema,
          signal,
        }),
      ),
    placeholderData: (before) => before,
  });

  const closeByBack = useEffectEvent(onClose);
  useEffect(() => {
    history.pushState(null, "", location.href); // so that Back closes the dialog
    window.addEventListener("popstate", closeByBack);
    return () => window.removeEventListener("popstate", closeByBack);
  }, []);
  const close = () => {
    onClose();
    history.back();
  };

  const row = result.rows.find(({ group }) => group === cell.group);
  const value = row?.values[cell.metricKey] ?? null;
  const noun = recordNoun(source);
  const nouns = recordNounPlural(source);
  const group = row ? rowLabel(row, groupColumns({ result, columns }), format) : "";
  const label = groupBy === "" ? `All ${nouns}` : group;
  const title = groupBy === "" ? label : `${capitalized(nouns)}: ${group}`;
  const counted = metric?.aggregation === "count" ? value : null;
  const last = Math.min(offset + pageSize, page?.total ?? 0);

  const saveCsv = async () => {
    setSaving("Preparing the file…");
    const response = await callApi(`${dashboard}/records-csv`, {
      body: { cell: cellQuery, name, sort },
      timeoutMs: fileTimeoutMs,
    });
    if ("body" in response) saveFile(`${fileName(name, filterText)}, ${label}.csv`, response.body);
    setSaving("body" in response ? "File saved." : response.error);
  };

  return (
    <Dialog title={title} onClose={close} closeOnOutsideClick className="w-5xl">
      <p className="wrap-anywhere px-4 pt-2 text-muted-foreground text-sm">
        {name} · {metric && metricLabel(metric, columns, source)}:{" "}
        {metric && metricText(value, metric, columns, format)}, as of {format.dateTime(result.generatedAt)}
        {filterText && ` · ${filterText}`}
      </p>
      <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-1.5">
        <p role="status" className="text-sm">
          {page && !isFetching && (
            <>
              <span className="font-medium">{format.count(page.total, noun)}</span>
              {page.total > last - offset && `, showing ${format.number(offset + 1)} to ${format.number(last)}`}
              {counted !== null && counted !== page.total && (
                <span className="text-muted-foreground">
                  {" "}
                  · the chart shows {format.number(counted)}, counted <Age at={result.generatedAt} />
                </span>
              )}
            </>
          )}
          {isFetching && <span className="appear-late text-muted-foreground">Loading…</span>}
        </p>
        <p role="status" className="text-muted-foreground text-sm">
          {saving}
        </p>
        <div className="ml-auto flex items-center gap-1">
          <Button variant="outline" onClick={() => void saveCsv()}>
            <Download aria-hidden />
            Download CSV
          </Button>
          <Pager
            before={!isFetching && offset > 0}
            after={!isFetching && last < (page?.total ?? 0)}
            page={`${pageSize} ${nouns}`}
            onTurn={(by) => setOffset(offset + by * pageSize)}
          />
        </div>
      </div>
      <div role="alert">
        {failure && (
          <div className="flex flex-col items-start gap-3 p-4">
            <Alert>{failure.error}</Alert>
            <Button variant="outline" onClick={() => void refetch()}>
              Try again
            </Button>
          </div>
        )}
      </div>
      <ScrollArea
        aria-label={capitalized(nouns)}
        aria-busy={isFetching}
        className="h-112 min-h-0 overflow-auto focus-visible:-outline-offset-2"
      >
        {page && page.total > 0 && (
          <RecordsTable
            page={page}
            fixed={[...Object.keys(cell.group), ...fixedColumns([...filters, ...(metric?.segment ?? [])])]}
            place={place}
            sort={sort}
            onSort={(next) => {
              setSort(next);
              setOffset(0);
            }}
          />
        )}
        {page?.total === 0 && (
          <p className="p-4 text-muted-foreground">
            There are no longer any {nouns} behind this number. Close this and refresh the chart.
          </p>
        )}
      </ScrollArea>
    </Dialog>
  );
}

// Those that filters restrict to one value.
const fixedColumns = (filters: ChartFilter[]) =>
  filters.flatMap((part) => ("column" in part && part.operator === "eq" && !isPeriod(part.value) ? part.column : []));

type TableProps = {
  page: ChartRecords;
  /** Columns with one value in all pages. */
  fixed: string[];
  place: Place;
  sort: RecordsSort | null;
  onSort: (sort: RecordsSort) => void;
};

const head = "sticky top-0 bg-popover shadow-[inset_0_-1px_var(--border)]";

// Leaves out IDs, and columns that are the same for all records of the dashboard. Says other columns with one value once.
function RecordsTable({ page: { columns, records, total }, fixed, place, sort, onSort }: TableProps) {
  const format = useFormat();
  const { teams } = usePlaces();
  const campaigns = teams.find(({ id }) => id === place.team)?.campaigns ?? [];
  const cellOf = (record: ChartRecords["records"][number], name: string) =>
    record[columns.findIndex((column) => column.name === name)];
  // Where the register shows a record, for people who can open it there.
  const hrefOf = (record: ChartRecords["records"][number]) => {
    const campaign = place.campaign ?? cellOf(record, "campaign_id");
    const [id, sheet, line] = ["id", "sheet", "line"].map((name) => cellOf(record, name));
    const currentCampaign = campaigns.find(
      ({ id, permissionKeys }) => id === campaign && permissionKeys.includes("signatures.view"),
    );
    if (!currentCampaign) return null;
    const register = { team: place.team, campaign: currentCampaign.id };
    if (typeof line === "number" && typeof id === "string") return registerPath(register, { line: id });
    return typeof sheet === "number" ? registerPath(register, { sheet, sort: "sheet" }) : null;
  };
  const hrefs = records.map(hrefOf);
  const isLinked = hrefs.some((href) => href !== null);
  const isSame = (name: string) => isPlace(name) && (name === "team_id" || place.campaign !== undefined);
  const isEqual = (index: number) => new Set(records.map((record) => JSON.stringify(record[index]))).size <= 1;
  const all = columns.flatMap((column, index) => {
    if (column.type === "uuid" || isSame(column.name)) return [];
    const isKnown = fixed.includes(column.name) || records.length === total;
    return { column, index, isShared: records.length > 1 && isKnown && isEqual(index) };
  });
  const differing = all.filter(({ isShared }) => !isShared);
  const shown = differing.length > 0 || isLinked ? differing : all.slice(0, 1);
  const textOf = (value: unknown, { name, type }: Pick<ChartColumn, "name" | "type">) =>
    (name === "campaign_id" && campaigns.find(({ id }) => id === value)?.name) ||
    formatGroupValue(value, { name, type }, format);
  const shared = all.flatMap(({ column, index, isShared }) => {
    const value = records[0]?.[index] ?? null;
    if (!isShared) return [];
    return value === null ? formatGroupValue(null, column, format) : `${column.label}: ${textOf(value, column)}`;
  });
  return (
    <>
      {shared.length > 0 && <p className="px-4 py-2 text-sm">Same for all: {shared.join(" · ")}</p>}
      <Table>
        <thead>
          <tr>
            {isLinked && (
              <TableHead className={head}>
                <span className="sr-only">Link to the line</span>
              </TableHead>
            )}
            {shown.map(({ column: { name, label } }) => {
              const sorted = sort?.column === name ? (sort.descending ? "descending" : "ascending") : undefined;
              const sortBy = () => onSort({ column: name, descending: sorted === "ascending" });
              return (
                <SortHead key={name} sorted={sorted} onSort={sortBy} className={head}>
                  {label}
                </SortHead>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {records.map((record, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page is shown as a whole
            <TableRow key={row}>
              {isLinked && (
                <TableCell className="whitespace-nowrap">
                  {hrefs[row] && (
                    <Link
                      href={hrefs[row]}
                      target="_blank"
                      className="underline underline-offset-4 pointer-coarse:py-3"
                    >
                      Open <ExternalLink role="img" aria-label="in a new tab" className="inline size-3" />
                    </Link>
                  )}
                </TableCell>
              )}
              {shown.map(({ column, index }) => (
                <TableCell
                  key={column.name}
                  className={record[index] === null ? "whitespace-nowrap text-muted-foreground" : "max-w-64 truncate"}
                  title={record[index] === null ? undefined : String(record[index])}
                >
                  {textOf(record[index], column)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </>
  );
}
