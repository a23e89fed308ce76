"use client";

import { useMemo, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { useDebounced } from "@/components/ui/use-debounced";
import { chartKindFits } from "@/lib/charts/builder/suggest";
import type { ChartDefinition, ChartQuery } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import type { Preview } from "@/lib/charts/definition/stored-chart";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";
import { askSignet, type Failure } from "@/lib/http/ask-signet";

const typingPauseMs = 300;

export const queryOf = ({ source, groupBy, metrics, filters }: ChartQuery): ChartQuery => ({
  source,
  groupBy,
  metrics,
  filters,
});

/**
 * The result of a definition, once it `canRun`, as it is drawn, and which kinds of charts fit. While a newer one is computed,
 * `isWaiting`, and the result is the one before. A newer question aborts an older one.
 */
export function usePreview({
  dashboard,
  definition,
  columns,
  canRun,
}: {
  dashboard: string;
  definition: ChartDefinition;
  columns: ChartColumn[];
  canRun: boolean;
}) {
  const format = useFormat();
  const [outcome, setOutcome] = useState<{ question: string | null; failure: Failure | null } | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [attempt, setAttempt] = useState(0);
  const question = canRun ? JSON.stringify(queryOf(definition)) : null;

  useDebounced(
    question && `${attempt} ${question}`,
    async (signal) => {
      const answer = await askSignet(`${dashboard}/preview`, {
        body: queryOf(definition),
        schema: async () => (await import("@/lib/charts/definition/stored-chart")).previewAnswer,
        signal,
      });
      if (signal.aborted) return;
      if ("body" in answer) setPreview(answer.body);
      setOutcome({ question, failure: "body" in answer ? null : answer });
    },
    typingPauseMs,
  );
  const current = outcome?.question === question ? outcome : null;

  // The same object until it changes: typing a name doesn't draw the chart again.
  const { kind, display: latest = null } = definition;
  const [display, setDisplay] = useState(latest);
  if (JSON.stringify(display) !== JSON.stringify(latest)) setDisplay(latest);
  const subject = useMemo(
    () => preview && { kind, result: deriveNumbers(preview.result, display, columns), columns, format },
    [preview, display, columns, kind, format],
  );
  const fits = useMemo(() => subject && chartKindFits(subject), [subject]);

  return {
    preview,
    subject,
    fits,
    failure: current?.failure ?? null,
    isWaiting: question !== null && current === null,
    retry: () => {
      setOutcome(null);
      setAttempt((before) => before + 1);
    },
  };
}
