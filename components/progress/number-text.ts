import { daysBetween } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import type { CampaignProgress } from "@/lib/progress/answers";
import type { Pace } from "@/lib/progress/pace";
import { wilsonInterval } from "@/lib/progress/valid-estimate";

/** A number per day, whole from ten on. Round what is needed up, with `Math.ceil`. */
export function perDay(aDay: number, round = Math.round) {
  return aDay < 10 ? round(aDay * 10) / 10 : round(aDay);
}

/** The same as text. */
export function perDayText(aDay: number, { number }: Pick<Format, "number">, round = Math.round) {
  return number(perDay(aDay, round));
}

/** How the last 7 days differ from the 7 before: `+12.5% vs. the week before`; null without two weeks of data. */
export function weekChangeText(
  { last7, weekBefore }: Pick<Pace, "last7" | "weekBefore">,
  { relativeChange }: Pick<Format, "relativeChange">,
) {
  if (last7 === null || weekBefore === null) return null;
  if (last7 === weekBefore) return "same as the week before";
  return weekBefore === 0 ? "none the week before" : `${relativeChange(last7 / weekBefore - 1)} vs. the week before`;
}

/** The days that a pace is based on: `last 28 days`, or as many as there are since the first line. */
export function paceDaysText({ days, today }: Pick<CampaignProgress, "days" | "today">, max: 7 | 28) {
  const count = Math.min(max, days[0] ? Math.max(1, daysBetween(days[0].day, today)) : max);
  return count === 1 ? "last day" : `last ${count} days`;
}

/** The validity rate of lines with its 95 % interval: `93.9%` and `93.5%–94.3%`; null without lines. */
export function rateText(
  { accepted, lines }: { accepted: number; lines: number },
  { percent }: Pick<Format, "percent">,
) {
  const known = wilsonInterval(accepted, lines);
  return known && { rate: percent(known.rate), interval: `${percent(known.low)}–${percent(known.high)}` };
}

/** An estimate and its interval, rounded to its precision: `13,330` and `13,250–13,410`. */
export function estimateText(
  { estimate, low, high }: { estimate: number; low: number; high: number },
  { number }: Pick<Format, "number">,
) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, high - low))) - 1);
  const round = (value: number) => number(Math.round(value / unit) * unit);
  return { estimate: round(estimate), interval: low === high ? null : `${round(low)}–${round(high)}` };
}

/** A span of days in its usual unit: `9 days`, `8 weeks`, `5 months`. */
export function spanText(days: number, { count }: Pick<Format, "count">): string {
  if (days < 21) return count(days, "day");
  return days < 100 ? count(Math.round(days / 7), "week") : count(Math.round(days / 30.44), "month");
}
