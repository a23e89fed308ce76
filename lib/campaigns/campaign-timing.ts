import { dayIn, daysBetween } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";

/** Where a campaign is in its schedule: `114 days left`. Days are YYYY-MM-DD, inclusive, in the team's time zone. */
export function campaignTiming(
  { startsOn, endsOn }: { startsOn: string | null; endsOn: string | null },
  { timeZone, count }: Format,
  now: Date,
): string {
  const day = dayIn(timeZone, now);
  if (startsOn && day < startsOn) return `Starts in ${count(daysBetween(day, startsOn), "day")}`;
  if (!endsOn) return "No end set";
  const left = daysBetween(day, endsOn);
  if (left < 0) return `Ended ${count(-left, "day")} ago`;
  return left === 0 ? "Last day" : `${count(left, "day")} left`;
}
