/** Why a line does not count. */
export const rejections = [
  "duplicate",
  "not-found",
  "illegible",
  "not-registered",
  "out-of-district",
  "outside-dates",
  "other",
  "wrong-address",
] as const;
export type Rejection = (typeof rejections)[number];

/** The verdict of a line never changes: the line is removed and entered again. A line that is `blank` counts nowhere. */
export const verdicts = ["accepted", ...rejections, "blank"] as const;
export type Verdict = (typeof verdicts)[number];

export const verdictWords: Record<Verdict, string> = {
  accepted: "valid",
  duplicate: "duplicate",
  "not-found": "not found",
  illegible: "illegible",
  "not-registered": "not registered",
  "out-of-district": "out of district",
  "outside-dates": "outside dates",
  other: "other",
  "wrong-address": "wrong address",
  blank: "blank",
};

/** A verdict in words, with its reason if it has one: `other (signed twice)`. */
export const verdictText = ({ verdict, note }: { verdict: Verdict; note: string | null }) =>
  verdict === "other" && note ? `${verdictWords.other} (${note})` : verdictWords[verdict];

const msPerHour = 3_600_000;
const minPaceLines = 10; // a few lines say little about an hour
const minPaceMs = 5 * 60_000;

/**
 * Lines an hour, from those of the last hour, over the time since the first of them; null for fewer than 10 lines or 5
 * minutes. Times are ISO 8601.
 */
export function pacePerHour({ lines, since, at }: { lines: number; since: string | null; at: string }): number | null {
  if (lines < minPaceLines || since === null) return null;
  const elapsedMs = Date.parse(at) - Date.parse(since);
  return elapsedMs < minPaceMs ? null : Math.round((lines * msPerHour) / elapsedMs);
}

/** The share of lines that count, from 0 to 1; null without lines. */
export function validityRate({ accepted, rejected }: { accepted: number; rejected: number }): number | null {
  return accepted + rejected === 0 ? null : accepted / (accepted + rejected);
}
