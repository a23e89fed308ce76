import type { Format } from "@/lib/format/format-of";
import type { SignedAt } from "@/lib/signatures/line";

/**
 * What is known of a voter's signature. `at` is null where the reader may only know that there is one, and while it is
 * still asked of the database, which is the last word: that is `asking`.
 */
export type SignedMark =
  | { state: "signed"; at: SignedAt | null; asking?: true }
  | { state: "not-signed" }
  | { state: "unchecked" };

/** Where to ask: the campaign, and the team of a reader who may see when, by whom and on which line. */
export type SignedCheck = { campaign: string; detailsFor: string | null };

/** By voter id; a voter that is not in it has not been answered yet. */
export type SignedMarks = ReadonlyMap<string, SignedMark>;

/** When, where and by whom: `Nov 3 · sheet 3, line 9 · by J. Park`, or `with another team`. */
export function signedAtText(at: SignedAt, { shortDay }: Format): string {
  if (!at.ownTeam) return "with another team";
  const place = [at.sheet !== undefined && `sheet ${at.sheet}`, at.line !== undefined && `line ${at.line}`].filter(
    Boolean,
  );
  return [at.enteredAt && shortDay(at.enteredAt), place.join(", "), at.enteredBy && `by ${at.enteredBy}`]
    .filter(Boolean)
    .join(" · ");
}
