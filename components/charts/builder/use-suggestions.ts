"use client";

import { useState } from "react";
import { useDebounced } from "@/components/ui/use-debounced";
import { askSignet } from "@/lib/http/ask-signet";

const typingPause = 200; // ms

/** Where the values of a column come from. */
export type ValueSource = { dashboard: string; source: string; column: string };

/** Texts that a column has, beginning with a prefix, the most frequent first. None while `wanted` is false. */
export function useSuggestions({ dashboard, source, column }: ValueSource, prefix: string, wanted: boolean): string[] {
  const [texts, setTexts] = useState<string[]>([]);

  const body = { source, column, prefix: prefix.slice(0, 100) };

  useDebounced(
    wanted ? JSON.stringify(body) : null,
    async (signal) => {
      const answer = await askSignet(`${dashboard}/values`, {
        body,
        schema: async () => (await import("@/lib/charts/answers")).valuesAnswer,
        signal,
      });
      // Without suggestions one types the value: that they could not be read is no problem of the person.
      if (signal.aborted || !("body" in answer)) return;
      setTexts(answer.body.values.flatMap(({ value }) => (typeof value === "string" && value !== "" ? [value] : [])));
    },
    typingPause,
  );

  return texts;
}
