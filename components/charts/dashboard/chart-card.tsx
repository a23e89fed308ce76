import { ChartColumn as ChartIcon, RefreshCw, Table2 } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { type CardEditing, CardMenu, EditLink, MoveHandle } from "@/components/charts/dashboard/card-actions";
import { Freshness, NotGenerated } from "@/components/charts/dashboard/freshness";
import type { CardNumbers } from "@/components/charts/dashboard/use-numbers";
import { ChartFigure } from "@/components/charts/drawing/chart-figure";
import { useFormat } from "@/components/shell/format-provider";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { ChartResult } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { recordNounPlural } from "@/lib/charts/definition/words";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";
import { filterNotes } from "@/lib/charts/display/filter-notes";
import type { ChartCell } from "@/lib/charts/display/points";
import { formatOf } from "@/lib/format/format-of";
import { cn } from "@/lib/utils";

type Props = {
  chart: DashboardChart;
  numbers: CardNumbers;
  columns: ChartColumn[];
  /** The dashboard's filter in words, if it applies to this chart. */
  filterText: string | null;
  /** The team's dashboard, where its charts are edited; null on that dashboard. */
  teamHref: string | null;
  editing?: CardEditing | undefined;
  onCell?: ((cell: ChartCell, result: ChartResult) => void) | undefined;
};

/** A chart of a dashboard, with the age of its numbers. Read-only without `editing`. */
export function ChartCard({ chart, numbers, columns, filterText, teamHref, editing, onCell }: Props) {
  const { result, busy, failure } = numbers;
  const format = useFormat();
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const [asTable, setAsTable] = useState(false);
  const filters = [...chart.filters, ...chart.narrowed];
  const draws = chart.kind !== "table" && chart.kind !== "number";
  const notes = result ? filterNotes(chart, { columns, generatedAt: result.generatedAt, format }) : [];
  const leftOut = chart.leftOut > 0 ? [`Leaves out ${format.count(chart.leftOut, "line")} without a county`] : [];

  return (
    <article
      ref={card}
      aria-labelledby={id}
      aria-busy={busy !== null}
      className="flex min-w-0 flex-col rounded-md border bg-background print:has-[table]:block" // broken between rows
    >
      <div className="flex items-center gap-1 py-1.5 pr-1.5 pl-4">
        {editing && <MoveHandle chart={chart} editing={editing} card={card} />}
        <h2 id={id} title={chart.name} className="wrap-anywhere line-clamp-2 min-w-0 flex-1 font-semibold">
          {chart.name}
        </h2>
        {chart.campaign === null && teamHref && (
          <Link href={`${teamHref}#chart-${chart.id}`} title="Open the team dashboard">
            <Badge>whole team</Badge>
          </Link>
        )}
        {draws && result && (
          <IconButton
            className="print:hidden"
            icon={asTable ? ChartIcon : Table2}
            aria-pressed={asTable}
            label={`Show ${chart.name} as a table`}
            title={asTable ? "Show chart" : "Show table"}
            onClick={() => setAsTable(!asTable)}
          />
        )}
        {editing?.onGenerate && (
          <IconButton
            className={cn("print:hidden", busy === "running" && "motion-safe:[&_svg]:animate-spin")}
            icon={RefreshCw}
            label={`Refresh ${chart.name}`}
            title="Refresh"
            aria-disabled={busy !== null}
            onClick={() => busy === null && editing.onGenerate?.()}
          />
        )}
        <CardMenu
          chart={chart}
          result={result}
          columns={columns}
          filterText={filterText}
          notes={[...leftOut, ...notes]}
          card={card}
          editing={editing}
        />
      </div>
      {chart.missing.length > 0 && (
        <p className="mx-4 mb-2 rounded-md bg-muted px-2 py-1 text-xs">
          Not filtered by {chart.missing.join(" or ")}:{" "}
          {chart.problem === null
            ? `${recordNounPlural(chart.source)} don't have ${chart.missing.length === 1 ? "one" : "them"}.`
            : "its definition has an error."}
        </p>
      )}
      <div className="flex min-w-0 flex-1 flex-col px-4 print:has-[table]:block">
        {result ? (
          <ChartFigure
            name={chart.name}
            subject={{
              kind: chart.kind,
              columns,
              result: deriveNumbers(result, chart.display, columns, {
                carried: chart.carried,
                filters,
                timeZone: format.timeZone,
              }),
              format: formatOf(format, chart.display?.decimals),
              filters,
            }}
            asTable={asTable}
            onCell={onCell && ((cell) => onCell(cell, result))}
          />
        ) : (
          <NotGenerated chart={chart} busy={busy !== null} editing={editing} />
        )}
      </div>
      {chart.problem && (
        <Note>
          This chart was made outside Signet, and its definition has an error:{" "}
          <span className="wrap-anywhere font-mono">{chart.problem}</span>
        </Note>
      )}
      <div role="alert" className="px-4 empty:hidden">
        {failure && (
          <Alert className="mt-2">
            {failure.error}
            {result && " These are the previous numbers."}{" "}
            {failure.status === 422 && editing && <EditLink editing={editing}>Edit chart</EditLink>}
          </Alert>
        )}
      </div>
      {notes.length > 0 && <Note>{notes.join(" · ")}</Note>}
      <Freshness chart={chart} numbers={numbers} editing={editing} />
    </article>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="px-4 pt-2 text-muted-foreground text-xs">{children}</p>;
}
