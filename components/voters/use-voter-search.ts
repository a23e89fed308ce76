import { useCallback, useState } from "react";
import { useDebounced } from "@/components/ui/use-debounced";
import { askForVoters, type VoterSource } from "@/components/voters/ask-for-voters";
import type { Answer } from "@/lib/http/ask-signet";
import type { VoterPage } from "@/lib/voters/answers";
import { filledFields, noTexts, type VoterQuery, type VoterTexts } from "@/lib/voters/voter-query";

const typingPause = 40; // ms without a keystroke before the search is sent: less than between the letters of the fastest
const thinkingPause = 250; // ms without a keystroke before the less likely is asked for: she types no more

/** `others` is what the same may mean as well, the likeliest first: each is asked when those before find nobody. */
type Asked = { query: VoterQuery; others: readonly VoterTexts[]; delay: number };
type Outcome = { asked: Asked; query: VoterQuery; answer: Answer<VoterPage> };

/** What was found, and for which query. While a newer search is under way this is the answer before. */
export type Found = { query: VoterQuery; answer: Answer<VoterPage> };

/**
 * The search as one types. `ask` sends a query, after a pause when it was typed; a newer one aborts the one before, so
 * that no older answer can replace a newer one. Of what the same may mean, a letter on the way asks for two at most.
 * `waiting` says that `found` is not the answer to `query` yet. Once it is, `query` has the texts that found somebody.
 */
export function useVoterSearch(source: VoterSource) {
  const [asked, setAsked] = useState<Asked>(() => ({
    query: { texts: noTexts, order: { column: "lastName", descending: false }, from: 0 },
    others: [],
    delay: 0,
  }));
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const isQuestion = filledFields(asked.query.texts).length > 0;

  useDebounced(
    isQuestion ? asked : null,
    async (signal) => {
      const outcome = await firstThatFinds(source, asked, signal);
      if (!signal.aborted) setOutcome(outcome);
    },
    asked.delay,
  );

  const ask = useCallback(
    (query: VoterQuery, { typed = false, others = [] }: { typed?: boolean; others?: readonly VoterTexts[] } = {}) => {
      setAsked({ query, others, delay: typed ? typingPause : 0 });
      // What was found before has nothing to do with what is typed after everything was cleared.
      if (filledFields(query.texts).length === 0) setOutcome(null);
    },
    [],
  );

  const answered = outcome?.asked === asked ? outcome : null;
  const found: Found | null = outcome && { query: outcome.query, answer: outcome.answer };
  return {
    query: answered?.query ?? asked.query,
    ask,
    found,
    waiting: isQuestion && !answered,
  };
}

// When none finds anybody, the answer is the first's.
async function firstThatFinds(source: VoterSource, asked: Asked, signal: AbortSignal): Promise<Outcome> {
  const first = { asked, query: asked.query, answer: await askForVoters(source, asked.query, signal) };
  if (!isNobody(first.answer)) return first;
  for (const [index, texts] of asked.others.entries()) {
    if (index === 1 && asked.delay > 0) await new Promise((resolve) => setTimeout(resolve, thinkingPause));
    if (signal.aborted) break;
    const query = { ...asked.query, texts };
    const answer = await askForVoters(source, query, signal);
    if (!isNobody(answer)) return { asked, query, answer };
  }
  return first;
}

function isNobody(answer: Answer<VoterPage>) {
  return "body" in answer && answer.body.totalHits === 0;
}
