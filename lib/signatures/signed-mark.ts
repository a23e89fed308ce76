import type { Format } from "@/lib/format/format-of";
import type { SignedAt } from "@/lib/signatures/line";
import { placeText } from "@/lib/signatures/line-text";

/**
 * What is known of a voter's signature. `at` is null if the reader may only know that there is one, and while the database
 * is still being asked for it (`asking`).
 */
export type SignedMark =
  | { state: "signed"; at: SignedAt | null; asking?: true }
  | { state: "not-signed" }
  | { state: "unchecked" };

/** Where to ask: the campaign, and the team of a reader who may see when, by which clerk and on which line. */
export type SignedCheck = { campaign: string; detailsTeamId: string | null };

/** The same with the path at which the reader can enter lines of the campaign; null where they can't. */
export type SignersShown = SignedCheck & { entryPath: string | null };

/** By voter id; a missing voter is still being checked. */
export type SignedMarks = ReadonlyMap<string, SignedMark>;

/** When, where and by which clerk: `Nov 3 · sheet 3, line 9 · by J. Park`, or `with another team`. */
export function signedAtText(at: SignedAt, { shortDay }: Format): string {
  if (!at.ownTeam) return "with another team";
  return [at.enteredAt && shortDay(at.enteredAt), placeText(at, ""), at.enteredBy && `by ${at.enteredBy}`]
    .filter(Boolean)
    .join(" · ");
}
