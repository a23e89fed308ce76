import type { VoterPage } from "@/lib/voters/answers";
import type { ExtraParam, VoterQuery } from "@/lib/voters/voter-query";

const few = 10; // hits: a name that was misread is often that of some other people
const shortest = 3; // characters of a name: to fewer than that nearly every short name is similar

/** Whether those who may be meant are worth asking for, after a search that found nobody or few by their names. */
export function wantsSimilar(
  extras: readonly ExtraParam[],
  { texts, from }: VoterQuery,
  { totalHits }: Pick<VoterPage, "totalHits">,
): boolean {
  const isNamed = [texts.lastName, texts.firstName].some((name) => name.trim().length >= shortest);
  return extras.includes("similar") && isNamed && texts.voterId.trim() === "" && from === 0 && totalHits <= few;
}
