"use client";

import { useEffect, useState } from "react";
import { ask } from "@/components/charts/ask";

const typingPause = 200; // ms

/** Where the values of a column come from. */
export type ValueSource = { dashboard: string; source: string; column: string };

/** Texts that a column has, beginning with a prefix, the most frequent first. None while `wanted` is false. */
export function useSuggestions({ dashboard, source, column }: ValueSource, prefix: string, wanted: boolean): string[] {
  const [texts, setTexts] = useState<string[]>([]);

  useEffect(() => {
    if (!wanted) return;
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await ask(`${dashboard}/values`, {
        body: { source, column, prefix: prefix.slice(0, 100) },
        schema: async () => (await import("@/components/charts/answers")).valuesAnswer,
        signal: asking.signal,
      });
      // Without suggestions one types the value: that they could not be read is no problem of the person.
      if (asking.signal.aborted || !("body" in answer)) return;
      setTexts(answer.body.values.flatMap(({ value }) => (typeof value === "string" && value !== "" ? [value] : [])));
    }, typingPause);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [dashboard, source, column, prefix, wanted]);

  return texts;
}
