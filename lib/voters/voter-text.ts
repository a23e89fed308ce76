import { equalIgnoringCase, plainText, withinSentence } from "@/lib/format/text";
import type { Voter } from "@/lib/voters/read-hit";
import type { VoterPage } from "@/lib/voters/responses";
import {
  type ExtraParam,
  matchWords,
  type SearchFields,
  type VoterField,
  type VoterQuery,
  voterFields,
} from "@/lib/voters/voter-query";

const joined = (parts: (string | undefined)[], by: string) => parts.filter(Boolean).join(by);

/** The name of a field within a sentence: `voter ID`, `ZIP code`. */
export const fieldWords = (field: VoterField) => withinSentence(voterFields[field]);

/** First and middle name: `Ada M.` */
export function firstNames({ firstName, middleName }: Voter): string {
  return joined([firstName, middleName], " ");
}

/** The full name: `Ada M. Smith`. */
export function fullName(voter: Voter): string {
  return joined([firstNames(voter), voter.lastName], " ") || "Name not given";
}

/** The street with the unit, where there is one: `Lake Rd #4`. */
export function streetAndUnit({ street, unit }: Voter): string {
  return joined([street, unit && (/^[\p{L}\p{N}]{1,6}$/u.test(unit) ? `#${unit}` : unit)], " ");
}

/** The name as on a list: `Smith, Ada M.` */
export function listName(voter: Voter): string {
  return joined([voter.lastName, firstNames(voter) || undefined], ", ") || "Name not given";
}

/** Why a voter is a near match: `sounds alike`. */
export const matchText = ({ match = "similar" }: Voter): string => matchWords[match];

/** The part of a near match that isn't as it was searched for, by its column. */
export function differingColumn({ match, lastName }: Voter, fields: SearchFields): "lastName" | "firstName" | "street" {
  if (match?.startsWith("another ") || match === "similar street") return "street";
  const isLastNameFound = plainText(lastName ?? "").startsWith(plainText(fields.lastName.trim()));
  return isLastNameFound && fields.firstName.trim() !== "" && match !== "swapped" ? "firstName" : "lastName";
}

/** House number, street and unit: `1204 Oak St #4`. */
export function addressText(voter: Voter): string {
  return joined([voter.houseNumber, streetAndUnit(voter)], " ");
}

export function cityAndZip({ city, zip }: Voter): string {
  return joined([city, zip], " ");
}

/** Whether the voter's district is known and not among these, which are separated by commas. */
export function isOutside({ district }: Voter, districts: string | null): boolean {
  if (district === undefined || districts === null) return false;
  return !districts.split(/[,;]/).some((one) => equalIgnoringCase(one.trim(), district));
}

/** The first page of a search, by name. */
export const firstPage = (fields: SearchFields): VoterQuery => ({
  fields,
  order: { column: "lastName", descending: false },
  from: 0,
});

// So few voters that their name may have been misread.
const fewHits = 10;
const minNameLength = 3; // nearly every short name is near to fewer characters

const minIdLength = 4;

/** Whether to ask for near matches: after a search by name that found few, or by voter ID or address that found no one. */
export function wantsNearMatches(
  extraParams: readonly ExtraParam[],
  { fields, from }: VoterQuery,
  { totalHits }: Pick<VoterPage, "totalHits">,
): boolean {
  const lengths = [fields.lastName, fields.firstName].map((name) => name.trim().length);
  const idLength = fields.voterId.trim().length;
  const isNamed = idLength === 0 && Math.max(...lengths) >= minNameLength && totalHits <= fewHits;
  const isPartOfId = idLength >= minIdLength && Math.max(...lengths) === 0 && totalHits === 0;
  const isAddress = [fields.houseNumber, fields.street].every((text) => text.trim()) && totalHits === 0;
  return extraParams.includes("similar") && (isNamed || isPartOfId || isAddress) && from === 0;
}
