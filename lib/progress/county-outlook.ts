import { daysBetween } from "@/lib/format/days";
import type { ValidEstimate } from "@/lib/progress/forecast";
import { normalAbove } from "@/lib/progress/normal";
import type { CampaignProgress } from "@/lib/progress/responses";
import { z95 } from "@/lib/progress/wilson-interval";

/** A county's target: what is missing, and the chance that it is reached. */
export type CountyOutlook = CampaignProgress["counties"][number] & {
  short: number;
  /** Valid signatures that the forecast expects per day left; without days left, those per day of `computePace`. */
  aDay: number;
  /** From 0 to 1; null if it is too early. */
  chance: number | null;
};

/**
 * Shares the valid signatures to come until the campaign has `end` of them among the counties, as the last 7 days did. The
 * share is uncertain because sheets, not lines, fall into a county, in those days and in those to come.
 */
export function countyOutlooks(progress: CampaignProgress, end: ValidEstimate | null): CountyOutlook[] {
  const { today, days, counties, sheetSums, endsOn } = progress;
  if (counties.length === 0) return [];
  const week = days.filter(({ day }) => day < today && daysBetween(day, today) <= 7);
  const recent = week.reduce((sum, { accepted }) => sum + accepted, 0);
  const known = recent > 0 ? recent : Math.max(1, progress.accepted);
  const onSheet = sheetSums.count === 0 ? 1 : sheetSums.lines / sheetSums.count;
  const coming = end === null ? null : Math.max(0, end.estimate - progress.accepted);
  const daysLeft = endsOn === null ? 0 : daysBetween(today, endsOn);
  const pastDays = Math.max(1, Math.min(7, daysBetween(days[0]?.day ?? today, today)));
  return counties.map((county) => {
    const short = Math.max(0, county.target - county.accepted);
    const share = recent > 0 ? county.last7Days / recent : county.accepted / Math.max(1, progress.accepted);
    const aDay = coming !== null && daysLeft > 0 ? (coming * share) / daysLeft : county.last7Days / pastDays;
    const outlook = { ...county, short, aDay };
    if (short === 0) return { ...outlook, chance: 1 };
    if (end === null || coming === null) return { ...outlook, chance: null };
    const unsure = (share * known + 1) / (known + 2); // a county without lines lately isn't certain to get none
    const ofShare = onSheet * unsure * (1 - unsure) * coming * (1 + coming / known);
    const sd = Math.hypot((share * (end.high - end.low)) / (2 * z95), Math.sqrt(ofShare));
    return { ...outlook, chance: normalAbove((short - 0.5 - coming * share) / Math.max(sd, 1e-6)) };
  });
}
