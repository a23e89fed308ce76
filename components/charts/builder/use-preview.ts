"use client";

import { useState } from "react";
import { useDebounced } from "@/components/ui/use-debounced";
import type { ChartQuery } from "@/lib/charts/definition/definition";
import type { Preview } from "@/lib/charts/definition/stored-chart";
import { askSignet, type Failure } from "@/lib/http/ask-signet";

const typingPause = 300; // ms without a change before a preview is asked for

/**
 * The preview of a query, or of none while it cannot run. A newer question aborts the one before, so that no older
 * answer can replace a newer one. Meanwhile `preview` is the last that there was, and `waiting` says so.
 */
export function usePreview(dashboard: string, query: ChartQuery | null) {
  const [outcome, setOutcome] = useState<{ question: string | null; failure: Failure | null } | null>(null);
  const [last, setLast] = useState<Preview | null>(null);
  const [attempt, setAttempt] = useState(0);
  const question = query && JSON.stringify(query);

  useDebounced(
    question && `${attempt} ${question}`,
    async (signal) => {
      const answer = await askSignet(`${dashboard}/preview`, {
        body: query,
        schema: async () => (await import("@/lib/charts/definition/stored-chart")).previewAnswer,
        signal,
      });
      if (signal.aborted) return;
      if ("body" in answer) setLast(answer.body);
      setOutcome({ question, failure: "body" in answer ? null : answer });
    },
    typingPause,
  );

  const current = outcome?.question === question ? outcome : null;
  return {
    preview: last,
    failure: current?.failure ?? null,
    waiting: question !== null && current === null,
    retry: () => {
      setOutcome(null);
      setAttempt((before) => before + 1);
    },
  };
}
