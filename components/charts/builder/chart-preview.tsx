import { useState } from "react";
import type { ChartBuilderState } from "@/components/charts/builder/use-chart-builder";
import { useFormat } from "@/components/shell/format-provider";
import { useSeconds } from "@/components/shell/use-seconds";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { lazyLoad } from "@/components/ui/lazy-load";
import { listUnfinished } from "@/lib/charts/builder/draft-filters";
import { isOrdered, isTime } from "@/lib/charts/definition/columns";
import type { ChartResult } from "@/lib/charts/definition/result";
import { kindLabels, recordNoun } from "@/lib/charts/definition/words";
import { filterNotes } from "@/lib/charts/display/filter-notes";
import type { ChartCell } from "@/lib/charts/display/points";
import { cn } from "@/lib/utils";

const ChartFigure = lazyLoad(async () => (await import("@/components/charts/drawing/chart-figure")).ChartFigure);

type Props = {
  builder: ChartBuilderState;
  onCell: ((cell: ChartCell, result: ChartResult) => void) | undefined;
};

/** The chart as it would be, with its numbers of records and groups. Nothing is stored. */
export function ChartPreview({ builder, onCell }: Props) {
  const format = useFormat();
  const [asTable, setAsTable] = useState(false);
  const { draft, definition, isBlocked } = builder;
  const { preview, subject, fits, failure, isWaiting, retry } = builder.preview;
  const { name, kind } = definition;
  const notes =
    preview && subject ? filterNotes(definition, { ...subject, generatedAt: preview.result.generatedAt }) : [];
  const unfinished = Map.groupBy(listUnfinished(draft), ([noun]) => noun);
  for (const [noun, { length }] of unfinished)
    notes.push(`${format.count(length, `unfinished ${noun} isn't`, `unfinished ${noun}s aren't`)} applied`);
  const isStale = isWaiting || isBlocked || failure !== null;
  return (
    <section
      aria-label="Preview"
      className="top-12 z-5 flex min-w-0 flex-col gap-3 bg-background p-4 max-lg:order-first max-lg:-mx-4 max-lg:-mt-4 max-lg:gap-2 max-lg:border-b max-lg:py-2 pointer-coarse:top-14 max-lg:[@media(min-height:30rem)]:sticky md:max-lg:-mx-6 md:max-lg:px-6 lg:rounded-md lg:border"
    >
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold max-lg:sr-only">Preview</h2>
        <p role="status" className="text-muted-foreground text-sm">
          {isBlocked && "Fix the fields marked in red to update the preview"}
          {isWaiting && !isBlocked && <Computing />}
          {!isStale &&
            preview &&
            [
              format.count(preview.result.recordCount, recordNoun(preview.result.source)),
              definition.groupBy !== "" && format.count(preview.result.groupCount, "group"),
            ]
              .filter(Boolean)
              .join(" · ")}
        </p>
        {kind !== "table" && (kind !== "number" || definition.groupBy !== "") && (
          <div className="ml-auto flex rounded-md border border-input">
            {["Chart", "Table"].map((view) => (
              <button
                key={view}
                type="button"
                aria-pressed={asTable === (view === "Table")}
                onClick={() => setAsTable(view === "Table")}
                className="h-7.5 cursor-pointer px-3 text-sm first:rounded-l-md last:rounded-r-md hover:bg-muted aria-pressed:bg-primary-soft aria-pressed:font-medium pointer-coarse:h-11"
              >
                {view}
              </button>
            ))}
          </div>
        )}
      </div>
      <div role="alert">
        {failure && (
          <div className="flex flex-col items-start gap-2">
            <Alert>{failure.error}</Alert>
            {failure.part === null && (
              <Button variant="outline" onClick={retry}>
                Try again
              </Button>
            )}
          </div>
        )}
      </div>
      <div
        aria-busy={isWaiting}
        className={cn(
          "h-44 transition-opacity duration-100 lg:h-[clamp(12rem,100dvh-31rem,24rem)]",
          isStale && "opacity-50",
          isWaiting && "delay-300",
        )}
      >
        {fits?.get(kind)?.fit === "cannot" && !asTable ? (
          <OtherKinds builder={builder} />
        ) : (
          subject &&
          preview && (
            <ChartFigure
              name={name || "Preview"}
              subject={subject}
              size="large"
              asTable={asTable}
              onSort={(order) => builder.update({ display: { ...builder.draft.display, order } })}
              onCell={onCell && !isStale ? (cell) => onCell(cell, preview.result) : undefined}
            />
          )
        )}
      </div>
      <p className="min-h-4 text-muted-foreground text-xs max-lg:empty:hidden">{notes.join(" · ")}</p>
    </section>
  );
}

// Why the chosen type can't show the result, and which types can.
function OtherKinds({ builder: { draft, update, parts, preview } }: Pick<Props, "builder">) {
  const fit = preview.fits?.get(draft.kind);
  if (!fit || preview.isWaiting) return null; // it is about the previous result
  // A line needs its days as the first group.
  const [first, second, ...more] = draft.groupBy.map(({ column }) => parts.columns.find(({ name }) => name === column));
  const canSwap = more.length === 0 && !isOrdered(first) && isTime(second);
  const label = (kind: typeof draft.kind) => kindLabels[kind].toLowerCase();
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 text-center">
      <p className="max-w-80">
        <span className="block font-medium">Can't show this as “{label(draft.kind)}”</span>
        {fit.reason}
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        {canSwap && (
          <Button variant="outline" onClick={() => update({ kind: "line", groupBy: draft.groupBy.toReversed() })}>
            Show as “line” by “{second?.label}”
          </Button>
        )}
        <Button variant="outline" onClick={() => update({ kind: fit.instead })}>
          Show as “{label(fit.instead)}”
        </Button>
      </div>
    </div>
  );
}

// Appears after 300 ms, and counts the seconds after the first.
function Computing() {
  const seconds = useSeconds(0, 1);
  return <span className="appear-late">{seconds === 0 ? "Computing…" : `Computing… ${seconds} s`}</span>;
}
