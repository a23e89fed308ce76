import { dayAfter } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import { computePace, type Pace, type Span } from "@/lib/progress/pace";
import { sumTallies } from "@/lib/progress/recent-days";
import type { CampaignProgress } from "@/lib/progress/responses";
import { wilsonInterval } from "@/lib/progress/wilson-interval";

/** A number per day as text, whole from ten on. Round what is needed up, with `Math.ceil`. */
export function perDayText(aDay: number, { number }: Pick<Format, "number">, round = Math.round) {
  return number(aDay < 10 ? round(aDay * 10) / 10 : round(aDay));
}

/** The days that a pace spans: `over the last 6 days`, which is through yesterday, or `from Nov 12 to Nov 17`. */
export function spanText({ from, to, days }: Span, today: string, { shortDay, count }: Format) {
  if (to === dayAfter(today, -1)) return days === 1 ? "yesterday" : `over the last ${count(days, "day")}`;
  return from === to ? `on ${shortDay(from)}` : `from ${shortDay(from)} to ${shortDay(to)}`;
}

/** How the last 7 days differ from the 7 before: `up 12.5% from the week before`; null without two weeks of data. */
export function weekChangeText({ last7, weekBefore }: Pick<Pace, "last7" | "weekBefore">, { percent }: Format) {
  if (last7 === null || weekBefore === null) return null;
  if (last7 === weekBefore) return "same as the week before";
  if (weekBefore === 0) return "none the week before";
  return `${last7 > weekBefore ? "up" : "down"} ${percent(Math.abs(last7 / weekBefore - 1))} from the week before`;
}

/**
 * The latest trend of a running campaign: `271 valid a day over the last 7 days, up 21.8% from the week before; validity
 * rate 93.9%, 93.7% the week before`. Null on its first day and once it has ended.
 */
export function trendText({ today, endsOn, archivedAt, days }: CampaignProgress, format: Format): string | null {
  const week = computePace({ today, days });
  if (week.last7 === null || week.span === null || archivedAt !== null || (endsOn && today > endsOn)) return null;
  const lines = days.map((day) => ({ ...day, lines: day.entered, duplicates: 0 }));
  const rateFrom = (from: string, to: string) => rateText(sumTallies(lines, { from, to }), format)?.rate;
  const rate = rateFrom(week.span.from, week.span.to);
  const before = week.weekBefore && rateFrom(dayAfter(today, -14), dayAfter(today, -8));
  const change = weekChangeText(week, format);
  const pace = `${perDayText(week.last7, format)} valid a day ${spanText(week.span, today, format)}`;
  const rates =
    rate && `validity rate ${rate}${before ? `, ${before === rate ? "same as" : before} the week before` : ""}`;
  return [change === null ? pace : `${pace}, ${change}`, rates].filter(Boolean).join("; ");
}

/** How long entry takes for what isn't entered yet: `about 5 days' work`, at the latest pace; null without one. */
export function backlogText({ collected, entered, days, today }: CampaignProgress, format: Format): string | null {
  const { span } = computePace({ today, days });
  const recent = days.filter(({ day }) => span !== null && day >= span.from && day <= span.to);
  const sum = recent.reduce((total, day) => total + day.entered, 0);
  if (span === null || sum === 0) return null;
  const needed = ((collected - entered) * span.days) / sum;
  return needed < 1 ? "less than a day's work" : `about ${format.count(Math.ceil(needed), "day's", "days'")} work`;
}

/** A share with its 95 % interval: `93.9%` and `93.5%–94.3%`; null of nothing. */
export function shareText(part: number, all: number, { rate }: Pick<Format, "rate">) {
  const known = wilsonInterval(part, all);
  return known && { rate: rate(known.rate), interval: `${rate(known.low)}–${rate(known.high)}` };
}

/** How many lines are duplicates, and their share: `22 (5.4%)`, or `0`. */
export const duplicatesText = ({ duplicates, lines }: { duplicates: number; lines: number }, format: Format) =>
  duplicates === 0 ? "0" : `${format.number(duplicates)} (${format.rate(duplicates / lines)})`;

/** The validity rate of lines, as `shareText`. */
export function rateText({ accepted, lines }: { accepted: number; lines: number }, format: Pick<Format, "rate">) {
  return shareText(accepted, lines, format);
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
