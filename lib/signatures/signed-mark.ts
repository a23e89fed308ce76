import type { Format } from "@/lib/format/format-of";
import { sentence } from "@/lib/format/text";
import type { SignedAt } from "@/lib/signatures/line";
import { placeText } from "@/lib/signatures/line-text";

/** Whether a voter has signed. `at` is null if the reader can't see details, and while they load (`isLoading`). */
export type SignedMark =
  | { state: "signed"; at: SignedAt | null; isLoading?: true }
  | { state: "not-signed" }
  | { state: "unchecked" };

/** The campaign to check, and the reader's team if they may see when, where and by which clerk. */
export type SignedLookup = { campaign: string; detailsTeamId: string | null };

/** Has the path where the reader can enter lines of the campaign; null if they can't. */
export type SignedLookupWithEntry = SignedLookup & { entryPath: string | null };

/** By voter id; a missing voter is still being checked. */
export type SignedMarks = ReadonlyMap<string, SignedMark>;

/** When and where, and its entry: `Oct 31 · sheet 3, line 9 · entered Nov 3 by J. Park`, or `with another team`. */
export function signedAtText(signedAt: SignedAt, { shortDay }: Format): string {
  if (!signedAt.ownTeam) return "with another team";
  const by = signedAt.enteredBy ? ` by ${signedAt.enteredBy}` : "";
  const entry = signedAt.enteredAt ? ` ${shortDay(signedAt.enteredAt)}${by}` : by;
  return [signedAt.signedOn && shortDay(signedAt.signedOn), placeText(signedAt, ""), entry && `entered${entry}`]
    .filter(Boolean)
    .join(" · ");
}

/** Says that a line is a duplicate and where the voter has already signed. */
export function duplicateText(name: string, signedAt: SignedAt | null, format: Format) {
  const at = signedAt && signedAtText(signedAt, format).replaceAll(" · ", ", ");
  return `duplicate – ${sentence(name)}${at ? ` Already signed: ${at}.` : ""}`;
}
