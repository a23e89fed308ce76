"use client";

import { useEffect, useState } from "react";
import type { usePreview } from "@/components/charts/builder/use-preview";
import { ChartFigure } from "@/components/charts/drawing/chart-figure";
import { useFormat } from "@/components/shell/format-provider";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { KindFit } from "@/lib/charts/builder/suggest";
import { kindWords } from "@/lib/charts/builder/words";
import type { ChartDefinition } from "@/lib/charts/definition/definition";
import { periodNotes } from "@/lib/charts/definition/period";
import type { ChartResult } from "@/lib/charts/definition/result";
import type { ChartKind } from "@/lib/charts/definition/words";
import type { ChartSubject } from "@/lib/charts/display/model";
import type { ChartCell } from "@/lib/charts/display/points";
import { cn } from "@/lib/utils";

/** What a chart would show, as it is built: how much was read for it, and how long that took. Nothing is stored. */
export function ChartPreview({
  definition: { name, kind, filters, metrics },
  subject,
  fit,
  blocked,
  unfinished,
  asked,
  onKind,
  turn,
  onCell,
}: {
  definition: ChartDefinition;
  /** What is drawn, once there is something. */
  subject: ChartSubject | null;
  fit: KindFit | undefined;
  /** Something has to be filled in first. */
  blocked: boolean;
  /** How many filters have no value yet. */
  unfinished: number;
  asked: ReturnType<typeof usePreview>;
  onKind: (kind: ChartKind) => void;
  /** To have the second column first, and lines along it. */
  turn: { label: string; onTurn: () => void } | undefined;
  onCell: ((cell: ChartCell, result: ChartResult) => void) | undefined;
}) {
  const format = useFormat();
  const [asTable, setAsTable] = useState(false);
  const { preview, failure, waiting, retry } = asked;
  const notes =
    preview && subject
      ? periodNotes({ filters, metrics }, { ...subject, generatedAt: preview.result.generatedAt })
      : [];
  if (unfinished > 0)
    notes.push(`Without ${format.count(unfinished, "filter")} that ${unfinished === 1 ? "has" : "have"} no value yet`);
  const stale = waiting || blocked || failure !== null;
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-3 rounded-md border p-4">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold">Preview</h2>
        <p role="status" className="text-muted-foreground text-sm">
          {blocked && "waits until each field is filled in"}
          {waiting && !blocked && <Computing />}
          {!stale && preview && (
            <>
              {format.count(preview.result.recordCount, "record")} · {format.count(preview.result.groupCount, "group")}{" "}
              · {format.number(preview.milliseconds)} ms
            </>
          )}
        </p>
        {kind !== "table" && kind !== "number" && (
          <div className="ml-auto flex rounded-md border border-input">
            {[false, true].map((table) => (
              <button
                key={String(table)}
                type="button"
                aria-pressed={asTable === table}
                onClick={() => setAsTable(table)}
                className="h-7.5 cursor-pointer px-3 text-sm first:rounded-l-md last:rounded-r-md hover:bg-muted aria-pressed:bg-primary-soft aria-pressed:font-medium pointer-coarse:h-11"
              >
                {table ? "Table" : "Chart"}
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
        aria-busy={waiting}
        className={cn("h-96 transition-opacity duration-100", stale && "opacity-50", waiting && "delay-300")}
      >
        {fit?.fit === "cannot" && !asTable ? (
          <div className="flex h-full flex-col items-center justify-center gap-3 text-center">
            <p className="max-w-80">
              <span className="block font-medium">Not shown as “{kindWords[kind].toLowerCase()}”</span>
              {fit.why}
            </p>
            <div className="flex flex-wrap justify-center gap-2">
              {turn && (
                <Button variant="outline" onClick={turn.onTurn}>
                  Show as “lines”, with “{turn.label}” first
                </Button>
              )}
              <Button variant="outline" onClick={() => onKind(fit.instead)}>
                Show as “{kindWords[fit.instead].toLowerCase()}”
              </Button>
            </div>
          </div>
        ) : (
          subject &&
          preview && (
            <ChartFigure
              name={name || "Preview"}
              subject={subject}
              size="large"
              asTable={asTable}
              onCell={onCell && !stale ? (cell) => onCell(cell, preview.result) : undefined}
            />
          )
        )}
      </div>
      <p className="min-h-4 text-muted-foreground text-xs">{notes.join(" · ")}</p>
    </section>
  );
}

// Shows after 300 ms, and counts the seconds after the first.
function Computing() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span className="appear-late">{seconds === 0 ? "Computing…" : `Computing… ${seconds} s`}</span>;
}
