import { dayAfter } from "@/lib/format/days";
import type { CampaignWork } from "@/lib/progress/responses";

/** Lines entered on a day, YYYY-MM-DD, and how many of them were accepted or duplicates. */
export type DayTally = CampaignWork["recent"]["days"][number];

/** A first and a last day. */
export type Period = { from: string; to: string };

/** Yesterday, this week through today, and last week; weeks begin on Monday. */
export function recentPeriods(today: string): { yesterday: Period; thisWeek: Period; lastWeek: Period } {
  const monday = dayAfter(today, -((new Date(today).getUTCDay() + 6) % 7));
  const yesterday = dayAfter(today, -1);
  return {
    yesterday: { from: yesterday, to: yesterday },
    thisWeek: { from: monday, to: today },
    lastWeek: { from: dayAfter(monday, -7), to: dayAfter(monday, -1) },
  };
}

/** The lines of a period, added up. */
export function sumTallies(days: DayTally[], { from, to }: Period): Omit<DayTally, "day"> {
  const sum = { lines: 0, accepted: 0, duplicates: 0 };
  for (const { day, lines, accepted, duplicates } of days) {
    if (day < from || day > to) continue;
    sum.lines += lines;
    sum.accepted += accepted;
    sum.duplicates += duplicates;
  }
  return sum;
}
