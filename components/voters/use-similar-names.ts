import type { VoterSource } from "@/components/voters/ask-for-voters";
import { useSimilarVoters } from "@/components/voters/use-similar-voters";
import type { Found } from "@/components/voters/use-voter-search";
import type { Reading } from "@/lib/voters/read-search-text";
import { noTexts, type VoterTexts } from "@/lib/voters/voter-query";

/**
 * Those who may be meant, and the texts that they are similar to. Where nobody is, those of the names read the other way round:
 * who types `smtih john` makes a slip, and stands for nobody as first and last name.
 */
export function useSimilarNames(
  source: VoterSource,
  found: Found | null,
  moved: boolean,
  { fields, readings }: { fields: VoterTexts; readings: readonly Reading[] },
) {
  const similar = useSimilarVoters(source, found, moved);
  const isNobody = found !== null && "body" in found.answer && found.answer.body.totalHits === 0;
  const exchanged = readings.find(({ texts, way }) => texts.firstName && texts.lastName && way !== readings[0]?.way);
  const isTried = isNobody && !similar.waiting && similar.voters.length === 0;
  const turned =
    isTried && exchanged ? { ...found, query: { ...found.query, texts: { ...fields, ...exchanged.texts } } } : null;
  const others = useSimilarVoters(source, turned, moved);
  const { voters, query } = turned ? { ...others, query: turned.query } : { ...similar, query: found?.query };
  return { voters, texts: query?.texts ?? noTexts, waiting: similar.waiting || others.waiting };
}
