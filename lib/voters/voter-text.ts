import type { VoterPage } from "@/lib/voters/answers";
import type { Voter } from "@/lib/voters/read-hit";
import type { ExtraParam, VoterQuery } from "@/lib/voters/voter-query";

const joined = (parts: (string | undefined)[], by: string) => parts.filter(Boolean).join(by);

/** First and middle name: `Ada M.` */
export function firstNames({ firstName, middleName }: Voter): string {
  return joined([firstName, middleName], " ");
}

/** The whole name as it is spoken: `Ada M. Smith`. */
export function fullName(voter: Voter): string {
  return joined([firstNames(voter), voter.lastName], " ") || "Name not given";
}

/** The street with the unit, where there is one: `Lake Rd #4`. */
export function streetAndUnit({ street, unit }: Voter): string {
  return joined([street, unit && (/^[\p{L}\p{N}]{1,6}$/u.test(unit) ? `#${unit}` : unit)], " ");
}

/** The name as it stands on a list: `Smith, Ada M.` */
export function listName(voter: Voter): string {
  return joined([voter.lastName, firstNames(voter) || undefined], ", ") || "Name not given";
}

/** Why she is among the similar ones: `sounds like`. */
export function matchText({ match }: Voter): string {
  return match === "swapped" ? "swapped names" : (match ?? "similar");
}

/** House number, street and unit: `1204 Oak St #4`. */
export function addressText(voter: Voter): string {
  return joined([voter.houseNumber, streetAndUnit(voter)], " ");
}

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
