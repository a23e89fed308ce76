"use client";

import { useState } from "react";
import { useDebounced } from "@/components/ui/use-debounced";
import { askSignet } from "@/lib/http/ask-signet";

const typingPause = 200; // ms

/** Where the values of a column come from. */
export type ValueSource = { dashboard: string; source: string; column: string };

/** A value that a column has, as a text, and how many records have it. */
export type Suggestion = { text: string; count: number };

/**
 * The values of a column that begin with a text, that very one first, then the most frequent: at most 20. Null while it is
 * not known, and while `wanted` is false.
 */
export function useSuggestions({ dashboard, source, column }: ValueSource, text: string, wanted: boolean) {
  const [read, setRead] = useState<{ question: string; found: Suggestion[] } | null>(null);

  const body = { source, column, prefix: text.slice(0, 100) };
  const question = JSON.stringify(body);

  useDebounced(
    wanted ? question : null,
    async (signal) => {
      const answer = await askSignet(`${dashboard}/values`, {
        body,
        schema: async () => (await import("@/lib/charts/definition/stored-chart")).valuesAnswer,
        signal,
      });
      // Without suggestions one types the value: that they could not be read is no problem of the person.
      if (signal.aborted || !("body" in answer)) return;
      const found = answer.body.values.flatMap(({ value, count }) =>
        (typeof value === "string" && value !== "") || typeof value === "number"
          ? [{ text: String(value), count }]
          : [],
      );
      setRead({ question, found });
    },
    typingPause,
  );

  return wanted && read?.question === question ? read.found : null;
}

/** Whether no value is the one that is written, or begins with it. Of long texts that is not known. */
export function isMissing(
  found: Suggestion[] | null,
  text: string,
  { isNumber, isBeginning = false }: { isNumber: boolean; isBeginning?: boolean },
): boolean {
  if (found === null || text === "" || text.length > 100) return false;
  if (isBeginning) return found.length === 0;
  return !found.some((one) => (isNumber ? Number(one.text) === Number(text) : one.text === text));
}

/** A number as the database writes it, so that its values begin with it. */
export const askedText = (text: string, isNumber: boolean) => (isNumber && Number(text) ? String(Number(text)) : text);
