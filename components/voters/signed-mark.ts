/** Where a voter has signed already. Another team's line shows nothing more than that. */
export type SignedAt =
  | { ownTeam: false }
  | {
      ownTeam: true;
      /** ISO 8601. */
      enteredAt: string | null;
      enteredBy: string | null;
      sheet: number | null;
      line: number | null;
    };

/** What is known of a voter's signature. `at` is null where the reader may only know that there is one. */
export type SignedMark = { state: "signed"; at: SignedAt | null } | { state: "not-signed" } | { state: "unchecked" };

/** Where to ask: the campaign, and the team of a reader who may see when, by whom and on which line. */
export type SignedCheck = { campaignId: string; detailsFor: string | null };

/** By voter id; a voter that is not in it has not been answered yet. */
export type SignedMarks = ReadonlyMap<string, SignedMark>;

/** When, where and by whom: `3 Nov · sheet 3, line 9 · by J. Park`, or `with another team`. Days are of the time zone. */
export function signedAtText(at: SignedAt, timeZone: string): string {
  if (!at.ownTeam) return "with another team";
  const place = [at.sheet !== null && `sheet ${at.sheet}`, at.line !== null && `line ${at.line}`].filter(Boolean);
  return [at.enteredAt && shortDay(at.enteredAt, timeZone), place.join(", "), at.enteredBy && `by ${at.enteredBy}`]
    .filter(Boolean)
    .join(" · ");
}

/** A time as its day in a time zone: `3 Nov`, with the year when it is another one. */
export function shortDay(time: string, timeZone: string, now = new Date()): string {
  const year = (date: Date) => new Intl.DateTimeFormat("en-GB", { year: "numeric", timeZone }).format(date);
  const at = new Date(time);
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    ...(year(at) !== year(now) && { year: "numeric" }),
    timeZone,
  }).format(at);
}
