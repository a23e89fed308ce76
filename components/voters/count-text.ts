import type { Format } from "@/lib/format/format-of";
import type { VoterPage } from "@/lib/voters/responses";
import { maxHits, pageSize, type VoterQuery } from "@/lib/voters/voter-query";
import { fieldWords } from "@/lib/voters/voter-text";

/** The total, as far as a search backend counts: `312`, `10,000+`. */
const totalText = (total: number, { number }: Format) => (total >= maxHits ? `${number(maxHits)}+` : number(total));

/** Which voters of how many are on the page: `1–25 of 312`. */
export function countText({ from }: VoterQuery, { hitsCount, totalHits }: VoterPage, format: Format): string {
  if (hitsCount === 0) return `0 of ${totalText(totalHits, format)}`;
  const first = format.number(from + 1);
  const last = format.number(from + hitsCount);
  return `${first === last ? first : `${first}–${last}`} of ${totalText(totalHits, format)}`;
}

/** The count as screen readers say it: `3 voters`, `312 voters, 25 shown`, `312 voters, 26 to 50 shown`. */
export function screenReaderCount({ from }: VoterQuery, { hitsCount, totalHits }: VoterPage, format: Format): string {
  if (totalHits === 0) return "No exact match";
  const all = totalHits === 1 ? "1 voter" : `${totalText(totalHits, format)} voters`;
  if (hitsCount === totalHits) return all;
  return `${all}, ${from === 0 ? hitsCount : `${format.number(from + 1)} to ${format.number(from + hitsCount)}`} shown`;
}

/** Whether there is a page before and after this one, and whether only the backend's limit ends the list here. */
export function pagesAround({ from }: VoterQuery, { totalHits }: VoterPage) {
  const more = from + pageSize < totalHits;
  const within = from + 2 * pageSize <= maxHits;
  return { before: from > 0, after: more && within, atLimit: more && !within };
}

/**
 * Says that the voters are sorted by name although another order was chosen: Signet's own search doesn't sort beyond the
 * number it counts. Other backends may sort them, but don't say so. Null if the chosen order applies.
 */
export function unsortedText({ order: { column, descending } }: VoterQuery, { totalHits }: VoterPage, format: Format) {
  const isByName = !descending && (column === "lastName" || column === "firstName");
  if (totalHits < maxHits || isByName) return null;
  const wish = descending ? "reverse the order" : `sort by ${fieldWords(column)}`;
  return `More than ${format.number(maxHits)} voters match, ordered by name. Narrow the search to ${wish}.`;
}
