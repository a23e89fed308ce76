import { useState } from "react";
import { useDebounced } from "@/components/ui/use-debounced";
import { askForVoters, type VoterSource } from "@/components/voters/ask-for-voters";
import type { Found } from "@/components/voters/use-voter-search";
import type { Answer } from "@/lib/http/ask-signet";
import type { VoterPage } from "@/lib/voters/answers";
import type { Voter } from "@/lib/voters/read-hit";
import { wantsSimilar } from "@/lib/voters/voter-text";

const nobody: readonly Voter[] = [];

/**
 * Those whom a search missed and who may be meant all the same, asked for once its hits are there and are few. `moved` says that
 * they are not those of what is typed any more: then nothing is asked. `voters` is one and the same array for one answer. Of a
 * failure nothing but `failed` tells.
 */
export function useSimilarVoters(source: VoterSource, found: Found | null, moved: boolean) {
  const [outcome, setOutcome] = useState<{ of: object; voters: readonly Voter[] | null } | null>(null);
  const strict = found && "body" in found.answer ? found.answer.body : null;
  const wanted = found && strict && wantsSimilar(source.extras, found.query, strict) ? strict : null;

  useDebounced(
    moved ? null : wanted,
    async (signal) => {
      if (!found || !wanted) return;
      const answer = await askForVoters(source, { ...found.query, similar: true }, signal);
      if (!signal.aborted) setOutcome({ of: wanted, voters: othersIn(answer, wanted) });
    },
    0,
  );

  const own = wanted && outcome?.of === wanted ? outcome : null;
  return {
    voters: own?.voters ?? nobody,
    waiting: wanted !== null && own === null && !moved,
    failed: own !== null && own.voters === null,
  };
}

function othersIn(answer: Answer<VoterPage>, { voters: strict }: VoterPage) {
  if (!("body" in answer)) return null;
  return answer.body.voters.filter(({ voterId }) => !strict.some((voter) => voter.voterId === voterId));
}
