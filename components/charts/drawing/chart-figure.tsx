import { type ReactNode, useMemo } from "react";
import { ChartLegend, Notes, SliceLegend } from "@/components/charts/drawing/chart-legend";
import { ChartNumbers } from "@/components/charts/drawing/chart-numbers";
import { ChartTable, type OnOrder } from "@/components/charts/drawing/chart-table";
import { lazyLoad } from "@/components/ui/lazy-load";
import { isGridKind, recordNounPlural } from "@/lib/charts/definition/words";
import { type ChartSubject, chartModel, chartSummary, groupColumns } from "@/lib/charts/display/model";
import { partialNotes } from "@/lib/charts/display/partial-periods";
import type { OnCellClick } from "@/lib/charts/display/points";
import { shownPeriod } from "@/lib/charts/display/trend";
import { cn } from "@/lib/utils";

// Lazy-loaded because Recharts is larger than the rest of the page.
const DrawnChart = lazyLoad(async () => (await import("@/components/charts/drawing/drawn-chart")).DrawnChart);

const ChartHeatMap = lazyLoad(async () => (await import("@/components/charts/drawing/chart-heat-map")).ChartHeatMap);

/** Where a chart is shown: on a card of the dashboard, or in the builder. */
type ChartSize = "card" | "large";

const maxCardPoints = 14; // in the builder too: its preview folds the same groups

const cardHeights = {
  drawing: "min-h-64 print:min-h-54", // a long legend takes its room from the page
  number: "max-h-64 min-h-36 grow print:h-48",
  table: "max-h-64 min-h-36 grow",
  grid: "h-64",
  inPlace: "h-64", // a table in place of the chart
};

type Props = {
  name: string;
  subject: ChartSubject;
  size?: ChartSize;
  asTable?: boolean;
  onCell?: OnCellClick;
  onSort?: OnOrder;
};

/** A chart or its table, in a fixed-height box, so loading doesn't shift the layout. */
export function ChartFigure({ name, subject, size = "card", asTable = false, onCell, onSort }: Props) {
  const { kind, result, filters = [] } = subject;
  const isGrid = isGridKind(kind) && !asTable && groupColumns(subject).length === 2;
  const isTable =
    asTable ||
    kind === "table" ||
    (isGridKind(kind) && !isGrid) ||
    (kind === "number" && groupColumns(subject).length > 0 && !shownPeriod(subject));
  const shape = isGrid ? "grid" : isTable ? "table" : kind === "number" ? "number" : "drawing";
  const isCells = isGrid || isTable;
  return (
    <div
      className={cn(
        // Drawn for the screen, a chart is scaled to the paper.
        "flex flex-col print:[&_:is(.recharts-responsive-container,.recharts-wrapper,.recharts-surface)]:size-full!",
        size === "large" ? "h-full print:h-48" : cardHeights[asTable ? "inPlace" : shape],
        isCells && "print:block print:h-auto print:max-h-none",
        // A phone scrolls the page first.
        isCells && size === "card" && "max-sm:h-auto max-sm:max-h-[80svh]",
      )}
    >
      {result.rows.length === 0 ? (
        <EmptyMessage>
          No {recordNounPlural(result.source)} {filters.length > 0 ? "match the filters." : "yet."}
        </EmptyMessage>
      ) : isCells ? (
        <>
          {isGrid ? (
            <div data-grid className="contents">
              <ChartHeatMap name={name} subject={subject} onCell={onCell} />
            </div>
          ) : (
            <ChartTable name={name} subject={subject} onCell={onCell} onSort={onSort} />
          )}
          <Notes notes={partialNotes(subject)} />
        </>
      ) : kind === "number" ? (
        <ChartNumbers subject={subject} onCell={onCell} />
      ) : (
        <Drawing name={name} subject={subject} size={size} onCell={onCell} />
      )}
    </div>
  );
}

function Drawing({ name, subject, size, onCell }: Omit<Props, "asTable" | "size"> & { size: ChartSize }) {
  const { kind } = subject;
  const model = useMemo(() => chartModel(subject, maxCardPoints), [subject]);
  if (model.points.length === 0) return <EmptyMessage>Nothing to draw. See the table.</EmptyMessage>;
  const isPie = kind === "pie";
  return (
    <>
      <div className={cn("flex min-h-0 flex-1", isPie ? "items-center gap-4" : "flex-col")}>
        {/* `chartPng` saves this part. */}
        <div
          data-drawing
          className={cn(
            "relative min-w-0",
            isPie ? "aspect-square max-h-full w-1/3 max-w-64" : "flex-1",
            size === "card" && !isPie ? "min-h-36" : "min-h-0",
          )}
        >
          <div className="absolute inset-0">
            <DrawnChart
              model={model}
              format={subject.format}
              label={chartSummary(name, model, subject.format)}
              labelSpace={size === "card" ? 128 : 220}
              onCell={onCell}
            />
          </div>
        </div>
        {isPie ? (
          <SliceLegend
            points={model.points}
            percent={model.stacked && model.unit !== "percent"}
            unit={model.unit}
            format={subject.format}
          />
        ) : (
          model.series.length > 1 && <ChartLegend model={model} />
        )}
      </div>
      <Notes notes={model.notes} />
    </>
  );
}

function EmptyMessage({ children }: { children: ReactNode }) {
  return <p className="m-auto max-w-72 p-4 text-center text-muted-foreground">{children}</p>;
}
