import { useCallback, useState } from "react";
import { useDebounced } from "@/components/ui/use-debounced";
import { askForVoters, type VoterSource } from "@/components/voters/ask-for-voters";
import type { Answer } from "@/lib/http/ask-signet";
import type { VoterPage } from "@/lib/voters/answers";
import { filledFields, noTexts, type VoterQuery } from "@/lib/voters/voter-query";

const typingPause = 40; // ms without a keystroke before the search is sent: less than between the letters of the fastest

type Asked = { query: VoterQuery; delay: number };
type Outcome = { asked: Asked; answer: Answer<VoterPage> };

/** What was found, and for which query. While a newer search is under way this is the answer before. */
export type Found = { query: VoterQuery; answer: Answer<VoterPage> };

/**
 * The search as one types. `ask` sends a query, after a pause when it was typed; a newer one aborts the one before, so
 * that no older answer can replace a newer one. `waiting` says that `found` is not the answer to `query` yet.
 */
export function useVoterSearch(source: VoterSource) {
  const [asked, setAsked] = useState<Asked>(() => ({
    query: { texts: noTexts, order: { column: "lastName", descending: false }, from: 0 },
    delay: 0,
  }));
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const isQuestion = filledFields(asked.query.texts).length > 0;

  useDebounced(
    isQuestion ? asked : null,
    async (signal) => {
      const answer = await askForVoters(source, asked.query, signal);
      if (!signal.aborted) setOutcome({ asked, answer });
    },
    asked.delay,
  );

  const ask = useCallback((query: VoterQuery, { typed = false } = {}) => {
    setAsked({ query, delay: typed ? typingPause : 0 });
    // What was found before has nothing to do with what is typed after everything was cleared.
    if (filledFields(query.texts).length === 0) setOutcome(null);
  }, []);

  const found: Found | null = outcome && { query: outcome.asked.query, answer: outcome.answer };
  const waiting = isQuestion && outcome?.asked !== asked;
  return { query: asked.query, ask, found, waiting };
}
