"use client";

import { ChartColumn as ChartIcon, Ellipsis, GripVertical, RefreshCw, Table2 } from "lucide-react";
import Link from "next/link";
import { type DragEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { Age, isOld, useMinutesSince } from "@/components/charts/dashboard/age";
import { saveFile } from "@/components/charts/dashboard/save-file";
import { ChartFigure } from "@/components/charts/drawing/chart-figure";
import { useFormat } from "@/components/shell/format-provider";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button, buttonVariants } from "@/components/ui/button";
import { signersWithheld } from "@/lib/charts/definition/columns";
import { periodNotes } from "@/lib/charts/definition/period";
import type { ChartResult } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import type { DashboardChart } from "@/lib/charts/definition/stored-chart";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";
import type { ChartCell } from "@/lib/charts/display/points";
import { dayIn } from "@/lib/format/days";
import type { Failure } from "@/lib/http/ask-signet";
import { cn } from "@/lib/utils";

/** What may be done with a chart on a dashboard, by those who hold `charts.edit`. */
export type CardEditing = {
  editHref: string;
  /** None while the dashboard is filtered: its numbers are of now. */
  onGenerate: (() => void) | null;
  onDuplicate: () => void;
  onDelete: () => void;
  /** Moves it by so many places. */
  onMove: (by: 1 | -1) => void;
  first: boolean;
  last: boolean;
  onDragStart: () => void;
  onDragEnd: () => void;
};

/**
 * One chart of a dashboard: its title, the chart or its table, and from when its numbers are. Without `editing` nothing
 * on it changes anything.
 */
export function ChartCard({
  chart,
  result,
  busy,
  failure,
  columns,
  only,
  teamHref,
  editing,
  onCell,
}: {
  chart: DashboardChart;
  result: ChartResult | null;
  busy: "waiting" | "running" | null;
  failure: Failure | null;
  columns: ChartColumn[];
  /** What the dashboard narrows it to, in words. */
  only: string | null;
  /** The dashboard of the whole team, where its charts are changed; none on that one itself. */
  teamHref: string | null;
  editing?: CardEditing | undefined;
  onCell?: ((cell: ChartCell, result: ChartResult) => void) | undefined;
}) {
  const format = useFormat();
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const [asTable, setAsTable] = useState(false);
  const draws = chart.kind !== "table" && chart.kind !== "number";
  const isStored = result === chart.data; // what was generated here since is of now
  const newer = isStored ? chart.newer : 0;
  const notes = result ? periodNotes(chart, { columns, generatedAt: result.generatedAt, format }) : [];

  const onDragStart = (event: DragEvent) => {
    event.dataTransfer.effectAllowed = "move";
    if (card.current) event.dataTransfer.setDragImage(card.current, 24, 24);
    editing?.onDragStart();
  };
  const onHandleKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (by !== 1 && by !== -1) return;
    event.preventDefault();
    editing?.onMove(by);
  };

  return (
    <article
      ref={card}
      aria-labelledby={id}
      aria-busy={busy !== null}
      className="flex min-w-0 flex-col rounded-md border bg-background"
    >
      <div className="flex items-center gap-1 py-1.5 pr-1.5 pl-4">
        {editing && (
          <button
            type="button"
            draggable
            data-handle={chart.id}
            aria-label={`Move ${chart.name}: arrow keys`}
            title="Drag to move, or press the arrow keys"
            onDragStart={onDragStart}
            onDragEnd={editing.onDragEnd}
            onKeyDown={onHandleKey}
            className="-ml-2.5 flex h-8 w-5 shrink-0 cursor-grab print:hidden items-center justify-center rounded-md text-muted-foreground hover:bg-muted pointer-coarse:hidden"
          >
            <GripVertical aria-hidden className="size-4" />
          </button>
        )}
        <h2 id={id} title={chart.name} className="min-w-0 flex-1 truncate font-semibold">
          {chart.name}
        </h2>
        {chart.campaign === null && teamHref && (
          <Link href={`${teamHref}#chart-${chart.id}`} prefetch={false} title="To the dashboard of the team">
            <Badge>whole team</Badge>
          </Link>
        )}
        {draws && result && (
          <Button
            className="print:hidden"
            variant="ghost"
            size="icon"
            aria-pressed={asTable}
            aria-label={`${chart.name} as a table`}
            title={asTable ? "Show the chart" : "Show the table"}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <ChartIcon aria-hidden /> : <Table2 aria-hidden />}
          </Button>
        )}
        {editing?.onGenerate && (
          <Button
            className="print:hidden"
            variant="ghost"
            size="icon"
            aria-label={`Regenerate ${chart.name}`}
            title="Regenerate"
            aria-disabled={busy !== null}
            onClick={() => busy === null && editing.onGenerate?.()}
          >
            <RefreshCw aria-hidden className={cn(busy === "running" && "motion-safe:animate-spin")} />
          </Button>
        )}
        <CardMenu
          chart={chart}
          result={result}
          columns={columns}
          notes={only ? [only, ...notes] : notes}
          drawn={draws && !asTable}
          card={() => card.current}
          editing={editing}
        />
      </div>
      <div className="min-w-0 px-4">
        {result ? (
          <ChartFigure
            name={chart.name}
            subject={{ kind: chart.kind, result: deriveNumbers(result, chart.display, columns), columns, format }}
            asTable={asTable}
            onCell={onCell && ((cell) => onCell(cell, result))}
          />
        ) : (
          <NotGenerated chart={chart} busy={busy !== null} editing={editing} />
        )}
      </div>
      {chart.problem && (
        <p className="px-4 pt-2 text-muted-foreground text-xs">
          The definition of this chart was written elsewhere and cannot be read:{" "}
          <span className="wrap-anywhere font-mono">{chart.problem}</span>
        </p>
      )}
      <div role="alert" className="px-4 empty:hidden">
        {failure && (
          <Alert className="mt-2">
            {failure.error}
            {result && " The numbers shown are those from before."}
            {failure.status === 422 && editing && (
              <>
                {" "}
                <Link href={editing.editHref} prefetch={false} className="underline underline-offset-4">
                  Change the chart
                </Link>
              </>
            )}
          </Alert>
        )}
      </div>
      {chart.missing.length > 0 && (
        <p className="px-4 pt-2 text-muted-foreground text-xs">
          Not filtered by {chart.missing.join(" and ")}:{" "}
          {chart.problem === null ? "its source has no such column." : "its definition cannot be read."}
        </p>
      )}
      {notes.length > 0 && <p className="px-4 pt-2 text-muted-foreground text-xs">{notes.join(" · ")}</p>}
      <div className="mt-auto flex min-h-10 flex-wrap items-center gap-x-2 px-4 py-2 text-muted-foreground text-xs">
        <p role="status" className="empty:-mr-2">
          {busy === "running" && "Computing…"}
          {busy === "waiting" && "Waits for its turn…"}
        </p>
        {busy === null && result && (
          <>
            <p>
              {format.count(result.recordCount, "record")} · <Age at={result.generatedAt} />
              {newer > 0 && (
                <span title="Keyed, moved, removed or brought back since, whether or not this chart counts them">
                  {" · "}
                  {newer > 1_000 ? `over ${format.number(1_000)} newer lines` : format.count(newer, "newer line")}
                </span>
              )}
            </p>
            {chart.isStale && !chart.failed ? <p>Computing anew…</p> : <OldBadge at={result.generatedAt} />}
            {chart.failed && isStored && (
              <p>
                Could not be computed anew. <WhyLink editing={editing} />
              </p>
            )}
          </>
        )}
      </div>
    </article>
  );
}

function OldBadge({ at }: { at: string }) {
  const minutes = useMinutesSince(at);
  return isOld(minutes) && <Badge tone="waiting">older than a day</Badge>;
}

// The builder computes it too, and says what is wrong with it.
function WhyLink({ editing }: { editing: CardEditing | undefined }) {
  return (
    editing && (
      <Link href={editing.editHref} prefetch={false} className="underline underline-offset-4">
        See why
      </Link>
    )
  );
}

function NotGenerated({
  chart,
  busy,
  editing,
}: {
  chart: DashboardChart;
  busy: boolean;
  editing: CardEditing | undefined;
}) {
  const onGenerate = editing?.onGenerate ?? null;
  return (
    <div className="flex h-64 flex-col items-center justify-center gap-3 p-4 text-center">
      <p className="max-w-72 text-muted-foreground">
        {chart.withheld
          ? signersWithheld
          : chart.failure
            ? "It has no numbers under this filter."
            : chart.outdated
              ? "The chart was changed since its numbers were computed, so they are not shown."
              : "The numbers of this chart were never computed."}
        {chart.isStale && !chart.failed && " They are being computed now."}
        {chart.failed && (
          <>
            {" "}
            New ones could not be computed. <WhyLink editing={editing} />
          </>
        )}
        {!onGenerate &&
          !chart.isStale &&
          !chart.failure &&
          !chart.withheld &&
          " Somebody who may change charts has to generate it."}
      </p>
      {onGenerate && (
        <Button
          variant="outline"
          aria-label={`${chart.outdated ? "Regenerate" : "Generate"} ${chart.name} now`}
          aria-disabled={busy}
          onClick={() => busy || onGenerate()}
        >
          {chart.outdated ? "Regenerate" : "Generate"}
        </Button>
      )}
    </div>
  );
}

const menuItem = cn(
  buttonVariants({ variant: "ghost" }),
  "w-full justify-start px-2 font-normal aria-disabled:hover:bg-transparent",
);

function CardMenu({
  chart,
  result,
  columns,
  notes,
  drawn,
  card,
  editing,
}: {
  chart: DashboardChart;
  result: ChartResult | null;
  columns: ChartColumn[];
  /** What it is narrowed to, and what its relative filters meant. */
  notes: string[];
  /** There is a drawing, which can be saved as an image. */
  drawn: boolean;
  card: () => HTMLElement | null;
  editing: CardEditing | undefined;
}) {
  const format = useFormat();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const then = (act: () => void) => () => {
    menu.current?.hidePopover();
    act();
  };

  const saveCsv = async () => {
    if (!result) return;
    const { chartCsv } = await import("@/lib/charts/display/csv");
    const text = chartCsv({ display: chart.display, types: columns, data: result });
    saveFile(`${chart.name} ${dayIn(format.timeZone, result.generatedAt)}.csv`, new Blob([text], { type: "text/csv" }));
  };
  const savePng = async () => {
    const { chartPng, findDrawing } = await import("@/components/charts/drawing/chart-png");
    const read = result ? `${format.count(result.recordCount, "record")}, ${format.dateTime(result.generatedAt)}` : "";
    const element = card();
    const drawing = element && findDrawing(element, chart.name, [...notes, read]);
    if (drawing) saveFile(`${chart.name}.png`, await chartPng(drawing));
  };

  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={`More of ${chart.name}`}
        title="More"
        className={cn(buttonVariants({ variant: "ghost", size: "icon" }), "print:hidden")}
      >
        <Ellipsis aria-hidden />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="popover-below-end m-0 w-52 flex-col rounded-md border bg-popover p-1 shadow-popover open:flex"
      >
        {editing && (
          <>
            <Link href={editing.editHref} prefetch={false} className={menuItem}>
              Edit
            </Link>
            <Item onClick={then(editing.onDuplicate)}>Duplicate</Item>
            <Item disabled={editing.first} onClick={then(() => editing.onMove(-1))}>
              Move earlier
            </Item>
            <Item disabled={editing.last} onClick={then(() => editing.onMove(1))}>
              Move later
            </Item>
          </>
        )}
        <Item disabled={!result || chart.problem !== null} onClick={then(() => void saveCsv())}>
          Save as CSV
        </Item>
        {drawn && (
          <Item disabled={!result} onClick={then(() => void savePng())}>
            Save as image (PNG)
          </Item>
        )}
        {editing && (
          <Item className="text-destructive" onClick={then(editing.onDelete)}>
            Delete
          </Item>
        )}
      </div>
    </>
  );
}

function Item({
  disabled = false,
  className,
  onClick,
  children,
}: {
  disabled?: boolean;
  className?: string;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-disabled={disabled}
      className={cn(menuItem, className)}
      onClick={() => disabled || onClick()}
    >
      {children}
    </button>
  );
}
