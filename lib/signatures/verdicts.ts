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
