import { useQuery } from "@tanstack/react-query";
import { askForVoters, type VoterSource } from "@/components/voters/ask-for-voters";
import type { Found } from "@/components/voters/use-voter-search";
import { bodyOf } from "@/lib/http/ask-signet";
import type { Voter } from "@/lib/voters/read-hit";
import { wantsSimilar } from "@/lib/voters/voter-text";

const nobody: readonly Voter[] = [];

/**
 * Near matches, asked for once the hits of a search are there and are few. `moved` says that what is typed has changed
 * since: then nothing is asked. `voters` is the same array for the same answer, and empty when it failed.
 */
export function useSimilarVoters(source: VoterSource, found: Found | null, moved: boolean) {
  const strict = found && "body" in found.answer ? found.answer.body : null;
  const isWanted = found !== null && strict !== null && wantsSimilar(source.extras, found.query, strict);
  const { data, status } = useQuery({
    queryKey: ["near matches", found?.id, found?.query.texts],
    queryFn: async ({ signal }) => {
      if (!found || !strict) return nobody;
      const { voters } = await bodyOf(askForVoters(source, { ...found.query, similar: true }, { signal }));
      return voters.filter(({ voterId }) => !strict.voters.some((voter) => voter.voterId === voterId));
    },
    enabled: isWanted,
    subscribed: !moved, // else aborted
    gcTime: 60_000, // what is shown stays meanwhile
    staleTime: "static",
  });
  return {
    voters: (isWanted && data) || nobody,
    waiting: isWanted && status === "pending" && !moved,
    failed: isWanted && status === "error",
  };
}
