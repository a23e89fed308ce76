import { equalIgnoringCase } from "@/lib/format/text";
import type { EntryContext, EntryForm } from "@/lib/signatures/entry/entry-form";
import type { Voter } from "@/lib/voters/read-hit";
import type { SearchFields } from "@/lib/voters/voter-query";
import { firstNames } from "@/lib/voters/voter-text";

/** All voters of the list, in its order. */
export const listedVoters = ({ voters, similar }: Pick<EntryContext, "voters" | "similar">) => [...voters, ...similar];

/**
 * Which voter of the list is marked: by hand, or because the corrected line has that voter. Otherwise it is the only match, or
 * the only one with exactly this name and house number. A near match is only ever marked by hand, and never changes who else is
 * marked.
 */
export function markedIndex(
  { marked, fields }: Pick<EntryForm, "marked" | "fields">,
  context: Pick<EntryContext, "voters" | "similar" | "total">,
): number | null {
  const byHand = marked === null ? -1 : listedVoters(context).indexOf(marked);
  if (byHand >= 0) return byHand;
  const { voters, total } = context;
  const byId = fields.voterId === "" ? -1 : voters.findIndex(({ voterId }) => voterId === fields.voterId);
  if (byId >= 0) return byId;
  if (total === 1 && voters.length === 1) return 0;
  if (total > voters.length || ![fields.lastName, fields.firstName, fields.houseNumber].every((text) => text.trim()))
    return null;
  const exact = voters.flatMap((voter, index) => (isExactVoter(voter, fields) ? index : []));
  return exact.length === 1 ? (exact[0] ?? null) : null;
}

/** Whether a voter's first name, with or without the middle name, is written so. */
const hasFirstName = (voter: Voter, typed: string): boolean =>
  typed.trim() !== "" &&
  [voter.firstName ?? "", firstNames(voter)].some((name) => equalIgnoringCase(name, typed.trim()));

/** Whether a voter's name is written exactly as typed, and the house number if one is typed. */
export function isExactVoter(voter: Voter, { lastName, firstName, houseNumber }: SearchFields): boolean {
  const isSame = (text: string, of = "") => equalIgnoringCase(of, text.trim());
  return (
    lastName.trim() !== "" &&
    isSame(lastName, voter.lastName) &&
    hasFirstName(voter, firstName) &&
    (houseNumber.trim() === "" || isSame(houseNumber, voter.houseNumber))
  );
}

/** The marked voter, if the list belongs to what is typed. */
export function markedVoter(form: EntryForm, context: EntryContext): Voter | null {
  const index = context.isSearching || context.searchDown ? null : markedIndex(form, context);
  return index === null ? null : (listedVoters(context)[index] ?? null);
}
