"use client";

import { useEffect, useState } from "react";
import { ask, type Failure } from "@/components/charts/ask";
import type { ChartQuery } from "@/lib/charts/chart-definition";
import type { ChartResult } from "@/lib/charts/chart-result";

const typingPause = 300; // ms without a change before a preview is asked for

/** What a definition computes, and in how many ms on the server. */
export type Preview = { result: ChartResult; milliseconds: number };

type Outcome = { question: string; preview: Preview } | { question: string; failure: Failure };

/**
 * The preview of a query, or of none while it cannot run. A newer question aborts the one before, so that no older
 * answer can replace a newer one. Meanwhile `preview` is the last that there was, and `waiting` says so.
 */
export function usePreview(dashboard: string, query: ChartQuery | null) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [last, setLast] = useState<Preview | null>(null);
  const [attempt, setAttempt] = useState(0);
  const question = query && JSON.stringify(query);

  // biome-ignore lint/correctness/useExhaustiveDependencies: again with each attempt
  useEffect(() => {
    if (question === null) return;
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await ask(`${dashboard}/preview`, {
        body: JSON.parse(question),
        schema: async () => (await import("@/components/charts/answers")).previewAnswer,
        signal: asking.signal,
      });
      if (asking.signal.aborted) return;
      if ("body" in answer) setLast(answer.body);
      setOutcome("body" in answer ? { question, preview: answer.body } : { question, failure: answer });
    }, typingPause);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [dashboard, question, attempt]);

  const current = outcome?.question === question ? outcome : null;
  return {
    preview: last,
    failure: current && "failure" in current ? current.failure : null,
    waiting: question !== null && current === null,
    retry: () => {
      setOutcome(null);
      setAttempt((before) => before + 1);
    },
  };
}
