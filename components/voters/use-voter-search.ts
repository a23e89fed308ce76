import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { askForVoters, type VoterSource } from "@/components/voters/ask-for-voters";
import type { Answer } from "@/lib/http/ask-signet";
import type { VoterPage } from "@/lib/voters/answers";
import { filledFields, noTexts, type VoterQuery, type VoterTexts } from "@/lib/voters/voter-query";

const typingDelayMs = 40; // less than between the letters of the fastest typist
const thinkingDelayMs = 250; // without a keystroke before less likely readings are tried

/** `others` are less likely readings of the same text, the likeliest first. */
type Asked = { id: number; query: VoterQuery; others: readonly VoterTexts[]; delayMs: number };

/** What was found, and for which query; `id` is another one for each search. While a newer search runs this is the answer before. */
export type Found = { id: number; query: VoterQuery; answer: Answer<VoterPage> };

let lastId = 0;

/**
 * The search as one types. `ask` sends a query, after a pause when it was typed; a newer one aborts the one before. Each
 * of `others` is tried when those before find nobody. `waiting` says that `found` isn't the answer to `query` yet. Once it
 * is, `query` has the texts that found somebody.
 */
export function useVoterSearch(source: VoterSource) {
  const [asked, setAsked] = useState<Asked>({
    id: 0,
    query: { texts: noTexts, order: { column: "lastName", descending: false }, from: 0 },
    others: [],
    delayMs: 0,
  });
  const isQuestion = filledFields(asked.query.texts).length > 0;
  const { data = null } = useQuery({
    queryKey: ["voters", asked.id],
    queryFn: ({ signal }) => firstThatFinds(source, asked, signal),
    // Once everything is cleared, the voters found before are not shown again with the next letter.
    initialData: isQuestion ? undefined : null,
    placeholderData: keepPreviousData,
    staleTime: "static",
  });

  const ask = useCallback(
    (query: VoterQuery, { typed = false, others = [] }: { typed?: boolean; others?: readonly VoterTexts[] } = {}) => {
      lastId += 1;
      setAsked({ id: lastId, query, others, delayMs: typed ? typingDelayMs : 0 });
    },
    [],
  );

  const isAnswered = data?.id === asked.id;
  return {
    query: isAnswered ? data.query : asked.query,
    ask,
    found: data,
    waiting: isQuestion && !isAnswered,
  };
}

// When none finds anybody, the answer is the first's.
async function firstThatFinds(source: VoterSource, asked: Asked, signal: AbortSignal): Promise<Found> {
  const { id, query, others, delayMs } = asked;
  const ask = async (query: VoterQuery, delayMs: number): Promise<Found> => ({
    id,
    query,
    answer: await askForVoters(source, query, { signal, delayMs }),
  });
  const first = await ask(query, delayMs);
  if (!isNobody(first)) return first;
  for (const [index, texts] of others.entries()) {
    const found = await ask({ ...query, texts }, index === 1 && delayMs > 0 ? thinkingDelayMs : 0);
    if (!isNobody(found)) return found;
  }
  return first;
}

function isNobody({ answer }: Found) {
  return "body" in answer && answer.body.totalHits === 0;
}
