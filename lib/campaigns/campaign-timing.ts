const msPerDay = 86_400_000;

// Swedish dates are YYYY-MM-DD.
const today = (timeZone: string, now: Date) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(now);

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / msPerDay);

const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);

/**
 * Where a campaign stands on its calendar, in words: `114 days left`. Its days are YYYY-MM-DD, both included; "today" is
 * the day in the team's time zone.
 */
export function campaignTiming(
  { startsOn, endsOn }: { startsOn: string | null; endsOn: string | null },
  { timeZone, now }: { timeZone: string; now: Date },
): string {
  const day = today(timeZone, now);
  if (startsOn && day < startsOn) return `Starts in ${days(daysBetween(day, startsOn))}`;
  if (!endsOn) return "No end set";
  const left = daysBetween(day, endsOn);
  if (left < 0) return `Ended ${days(-left)} ago`;
  return left === 0 ? "Last day" : `${days(left)} left`;
}
