import { daysBetween } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import type { CampaignProgress } from "@/lib/progress/answers";
import type { Pace } from "@/lib/progress/pace";

/** So many a day, whole from ten on. What is needed is rounded up, with `Math.ceil`. */
export function perDay(aDay: number, round = Math.round) {
  return aDay < 10 ? round(aDay * 10) / 10 : round(aDay);
}

/** The same as a text. */
export function perDayText(aDay: number, { number }: Pick<Format, "number">, round = Math.round) {
  return number(perDay(aDay, round));
}

/** How the last 7 days differ from the 7 before them: `+12.5% on the week before`; null until there are as many. */
export function weekChangeText(
  { last7, weekBefore }: Pick<Pace, "last7" | "weekBefore">,
  { relativeChange }: Pick<Format, "relativeChange">,
) {
  if (last7 === null || weekBefore === null) return null;
  if (last7 === weekBefore) return "as in the week before";
  return weekBefore === 0 ? "none in the week before" : `${relativeChange(last7 / weekBefore - 1)} on the week before`;
}

/** The days that a pace is told from, in words: the last 7 or 28, or as many as are over since the first line. */
export function paceDaysText({ days, today }: Pick<CampaignProgress, "days" | "today">, longest: 7 | 28) {
  const over = Math.min(longest, days[0] ? Math.max(1, daysBetween(days[0].day, today)) : longest);
  return over === 1 ? "the last day" : `the last ${over} days`;
}
