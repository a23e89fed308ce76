/** Why a line on paper does not count. */
export const rejections = [
  "duplicate",
  "not-found",
  "illegible",
  "not-registered",
  "out-of-district",
  "outside-dates",
  "other",
] as const;
export type Rejection = (typeof rejections)[number];

/**
 * What can come of a line on paper, for good: it is removed and keyed again, never changed. One that is `blank` on the paper
 * is no signature, and counts nowhere.
 */
export const verdicts = ["accepted", ...rejections, "blank"] as const;
export type Verdict = (typeof verdicts)[number];

/** Verdicts as people read them. */
export const verdictWords: Record<Verdict, string> = {
  accepted: "accepted",
  duplicate: "duplicate",
  "not-found": "not found",
  illegible: "illegible",
  "not-registered": "not registered",
  "out-of-district": "out of district",
  "outside-dates": "outside dates",
  other: "other reason",
  blank: "blank",
};

const msPerHour = 3_600_000;
const shortest = msPerHour / 12;

/**
 * Lines an hour, whole, from those of the last hour: over the time since the first of them, at least 5 minutes. Null when
 * there is none. Times are ISO 8601.
 */
export function pacePerHour({ lines, since, at }: { lines: number; since: string | null; at: string }): number | null {
  if (lines === 0 || since === null) return null;
  const elapsed = Math.max(shortest, Date.parse(at) - Date.parse(since));
  return Math.round((lines * msPerHour) / elapsed);
}

/** The share of lines that count, from 0 to 1; null when there is none. */
export function validityRate({ accepted, rejected }: { accepted: number; rejected: number }): number | null {
  return accepted + rejected === 0 ? null : accepted / (accepted + rejected);
}
