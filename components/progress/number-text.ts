import { dayAfter } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import type { Pace, Span } from "@/lib/progress/pace";
import { wilsonInterval } from "@/lib/progress/wilson-interval";

/** A number per day as text, whole from ten on. Round what is needed up, with `Math.ceil`. */
export function perDayText(aDay: number, { number }: Pick<Format, "number">, round = Math.round) {
  return number(aDay < 10 ? round(aDay * 10) / 10 : round(aDay));
}

/** The days that a pace spans: `over the last 6 days`, which is through yesterday, or `from Nov 12 to Nov 17`. */
export function spanText({ from, to, days }: Span, today: string, { shortDay, count }: Format) {
  const since = to === dayAfter(today, -1);
  return since ? `over the last ${count(days, "day")}` : `from ${shortDay(from)} to ${shortDay(to)}`;
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

/** The validity rate of lines with its 95 % interval: `93.9%` and `93.5%–94.3%`; null without lines. */
export function rateText(
  { accepted, lines }: { accepted: number; lines: number },
  { percent }: Pick<Format, "percent">,
) {
  const known = wilsonInterval(accepted, lines);
  return known && { rate: percent(known.rate), interval: `${percent(known.low)}–${percent(known.high)}` };
}

/** An estimate and its interval, rounded to its precision but not to 0: `13,330` and `13,250–13,410`. */
export function estimateText(
  { estimate, low, high }: { estimate: number; low: number; high: number },
  { number }: Pick<Format, "number">,
) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, high - low))) - 1);
  const round = (value: number) => number(Math.round(value / unit) * unit || Math.round(value));
  return { estimate: round(estimate), interval: round(low) === round(high) ? null : `${round(low)}–${round(high)}` };
}
