"use client";

import { type ComponentType, type ReactNode, useEffect, useMemo, useState } from "react";
import { ChartLegend, SliceLegend } from "@/components/charts/drawing/chart-legend";
import { ChartNumbers } from "@/components/charts/drawing/chart-numbers";
import { ChartTable } from "@/components/charts/drawing/chart-table";
import type { DrawnChart } from "@/components/charts/drawing/drawn-chart";
import { type ChartSubject, chartModel, chartSummary, groupColumns } from "@/lib/charts/display/model";
import type { ChartCell } from "@/lib/charts/display/points";
import { cn } from "@/lib/utils";

/** How much room a chart has: on a card of the dashboard, or in the builder. */
export type ChartSize = "card" | "large";

const heights: Record<ChartSize, string> = { card: "h-64", large: "h-96" };

/**
 * A chart, or the table behind it, in a box whose size is known before anything is loaded. `onCell` is there for those
 * who may see the records behind a number.
 */
export function ChartFigure({
  name,
  subject,
  size = "card",
  asTable = false,
  onCell,
}: {
  name: string;
  subject: ChartSubject;
  size?: ChartSize;
  asTable?: boolean;
  onCell?: ((cell: ChartCell) => void) | undefined;
}) {
  const { kind, result } = subject;
  const tabular = asTable || kind === "table" || (kind === "number" && groupColumns(subject).length > 0);
  return (
    <div className={cn("flex flex-col", heights[size], tabular ? "print:h-auto" : "print:h-48")}>
      {result.rows.length === 0 ? (
        <Nothing>No record matches, so there is nothing to show.</Nothing>
      ) : tabular ? (
        <ChartTable name={name} subject={subject} onCell={onCell} />
      ) : kind === "number" ? (
        <ChartNumbers subject={subject} onCell={onCell} />
      ) : (
        <Drawing name={name} subject={subject} size={size} onCell={onCell} />
      )}
    </div>
  );
}

function Drawing({
  name,
  subject,
  size,
  onCell,
}: {
  name: string;
  subject: ChartSubject;
  size: ChartSize;
  onCell: ((cell: ChartCell) => void) | undefined;
}) {
  const { Drawn, failed, retry } = useDrawnChart();
  const { kind } = subject;
  const model = useMemo(() => chartModel(subject, mostPoints(subject, size)), [subject, size]);
  if (model.points.length === 0) return <Nothing>There is no number to draw. The table shows what there is.</Nothing>;
  const isPie = kind === "pie";
  return (
    <>
      <div className={cn("flex min-h-0 flex-1", isPie ? "items-center gap-4" : "flex-col")}>
        {/* What is exported as an image. */}
        <div
          data-drawing
          className={cn("min-h-0 min-w-0", isPie ? "aspect-square max-h-full w-2/5 max-w-72" : "flex-1")}
        >
          {failed ? (
            <Nothing>
              The drawing could not be loaded.{" "}
              <button type="button" className="cursor-pointer text-primary underline" onClick={retry}>
                Try again
              </button>
            </Nothing>
          ) : (
            Drawn && (
              <Drawn
                model={model}
                format={subject.format}
                label={chartSummary(name, model, subject.format)}
                labelSpace={size === "card" ? 128 : 220}
                onCell={onCell}
              />
            )
          )}
        </div>
        {isPie ? (
          <SliceLegend points={model.points} percent={model.stacked && model.unit !== "percent"} unit={model.unit} />
        ) : (
          model.series.length > 1 && <ChartLegend series={model.series} lines={kind === "line"} />
        )}
      </div>
      {model.notes.length > 0 && (
        <p data-note className="pt-1 text-muted-foreground text-xs">
          {model.notes.join(" ")}
        </p>
      )}
    </>
  );
}

// As many bars as there is height for.
function mostPoints({ kind, result }: ChartSubject, size: ChartSize) {
  const lines = size === "card" ? 10 : 16;
  return kind === "bar" ? Math.max(4, Math.floor(lines / Math.min(3, Math.max(1, result.metrics.length)))) : lines;
}

let loaded: ComponentType<Parameters<typeof DrawnChart>[0]> | null = null;

// What draws is larger than the page itself: it comes after it, once for all charts.
function useDrawnChart() {
  const [Drawn, setDrawn] = useState(() => loaded);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: again with each attempt
  useEffect(() => {
    let gone = false;
    import("@/components/charts/drawing/drawn-chart").then(
      (module) => {
        loaded = module.DrawnChart;
        if (!gone) setDrawn(() => module.DrawnChart);
      },
      () => !gone && setFailed(true),
    );
    return () => {
      gone = true;
    };
  }, [attempt]);

  const retry = () => {
    setFailed(false);
    setAttempt((before) => before + 1);
  };
  return { Drawn, failed, retry };
}

function Nothing({ children }: { children: ReactNode }) {
  return <p className="m-auto max-w-72 p-4 text-center text-muted-foreground">{children}</p>;
}
