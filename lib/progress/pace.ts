import { dayAfter, dayIn, daysBetween } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import type { CampaignProgress } from "@/lib/progress/responses";

const windowDays = 28; // complete weeks, so that each weekday counts equally
const maxWeeks = 12;
// What is assumed before weeks are known, with the weight of so many: how much a week varies, and how far the pace drifts in
// a week. At the end of a campaign it often rises.
const prior = { weeks: 3, variation: 0.1, drift: 0.06 };
const finalStretchShare = 0.25;

/** The days that a pace is the mean of. */
export type Span = { from: string; to: string; days: number };

/** Accepted signatures a day: the mean of the last 7 days before today, or of those since the first line, and of the 7 before. */
export type Pace = { last7: number | null; weekBefore: number | null; span: Span | null };

export function computePace({ today, days }: Pick<CampaignProgress, "today" | "days">): Pace {
  const before = days[0] ? daysBetween(days[0].day, today) : 0;
  const known = Math.min(7, before);
  const between = (from: number, to: number) =>
    days.reduce((sum, { day, accepted }) => {
      const ago = daysBetween(day, today);
      return from <= ago && ago <= to ? sum + accepted : sum;
    }, 0);
  return {
    last7: before < 1 ? null : between(1, 7) / known,
    weekBefore: before < 14 ? null : between(8, 14) / 7,
    span: before < 1 ? null : { from: dayAfter(today, -known), to: dayAfter(today, -1), days: known },
  };
}

/** Lines to come, the variance of their number, and how many more there are if the pace doubles in the final stretch. */
export type ProjectedLines = { lines: number; variance: number; surge: number };

/**
 * How fast sheets are collected: the mean by day of collection over the last 28 days. The latest days are left out, because
 * some of their sheets may not have been opened yet. Null if no day is left. `projectThrough` says what comes until a day, at
 * this pace or with `planned` lines a day. Each line counts `worth` times; `withLate` adds the sheets of the latest days.
 */
export function collectionPace(progress: CampaignProgress): {
  aDay: number | null;
  span: Span | null;
  projectThrough: (
    endsOn: string,
    plan?: { planned?: number | undefined; worth?: number; withLate?: boolean },
  ) => ProjectedLines;
} {
  const { today, startsOn, endsOn, lagDays } = progress;
  const byDay = linesByDay(progress);
  const first = [...byDay.keys()].sort()[0] ?? today;
  const latest = dayAfter(today, -1);
  const complete = dayAfter(latest, -Math.min(lagDays, windowDays));
  const end = [complete < first ? latest : complete, endsOn ?? latest].sort()[0] ?? latest;
  const days = Math.max(0, Math.min(windowDays, daysBetween(first, end) + 1));
  const sumLines = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => byDay.get(dayAfter(end, -from - index)) ?? 0).reduce(
      (a, b) => a + b,
      0,
    );
  const aDay = days === 0 ? 0 : sumLines(0, days) / days;
  const wholeWeeks = Math.min(maxWeeks, Math.floor((daysBetween(first, end) + 1) / 7));
  const { variation, drift } = variance(
    Array.from({ length: wholeWeeks }, (_, index) => sumLines(index * 7, 7) / (7 * aDay || 1)),
  );
  const since = [...byDay].reduce((sum, [day, lines]) => (day > end ? sum + lines : sum), 0);
  return {
    aDay: days === 0 ? null : aDay,
    span: days === 0 ? null : { from: dayAfter(end, 1 - days), to: end, days },
    projectThrough: (last, { planned = aDay, worth = 1, withLate = true } = {}) => {
      // Days whose sheets may come.
      const missing = withLate ? Math.max(0, daysBetween(end, last < today ? last : today)) : 0;
      const remainingDays = Math.max(0, daysBetween(today, last));
      const lines = worth * (Math.max(0, aDay * missing - since) + planned * remainingDays);
      const [known, ahead] = [Math.max(1, days) / 7, (missing + remainingDays) / 7];
      const relative = ahead === 0 ? 0 : variation * (1 / known + 1 / ahead) + (drift * (known + ahead)) / 3;
      const finalStretchDays = Math.max(
        0,
        Math.min(missing + remainingDays, finalStretchShare * (daysBetween(startsOn ?? first, last) + 1)),
      );
      const surge = ahead === 0 ? 0 : (lines * finalStretchDays) / (missing + remainingDays);
      return { lines, variance: lines ** 2 * relative, surge };
    },
  };
}

// The variances of a week's lines and of the pace's drift in a week, from weeks as shares of their mean, newest first.
function variance(weeks: number[]) {
  const differences = (apart: number) => weeks.slice(apart).map((week, index) => (week - (weeks[index] ?? 0)) ** 2);
  const [next, later] = [differences(1), differences(4)];
  const shrinkToPrior = (known: number[], mean: number, before: number) =>
    (prior.weeks * before + known.length * mean) / (prior.weeks + known.length);
  const [meanLag1, meanLag4] = [average(next), average(later)];
  return {
    variation: shrinkToPrior(next, meanLag1 / 2, prior.variation ** 2),
    // Differences of weeks 4 apart have the drift of 4 weeks, those of neighbors that of one.
    drift: shrinkToPrior(later, Math.max(0, (meanLag4 - meanLag1) / 3), prior.drift ** 2),
  };
}

const average = (values: number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

// Lines on no sheet count on the day they were entered.
function linesByDay({ days, collectedDays, collected, entered }: CampaignProgress): Map<string, number> {
  const byDay = new Map(collectedDays.map(({ day, lines }) => [day, lines]));
  const linesWithoutSheet = collected - collectedDays.reduce((sum, { lines }) => sum + lines, 0);
  for (const { day, entered: lines } of linesWithoutSheet > 0 ? days : []) {
    byDay.set(day, (byDay.get(day) ?? 0) + (lines * linesWithoutSheet) / entered);
  }
  return byDay;
}

/** Where a campaign is in its schedule: `114 days left`. Days are YYYY-MM-DD, inclusive, in the team's time zone. */
export function campaignTiming(
  { startsOn, endsOn }: { startsOn: string | null; endsOn: string | null },
  { timeZone, count }: Format,
  now: Date,
): string {
  const day = dayIn(timeZone, now);
  if (startsOn && day < startsOn) return `Starts in ${count(daysBetween(day, startsOn), "day")}`;
  if (!endsOn) return "No last day";
  const remainingDays = daysBetween(day, endsOn);
  if (remainingDays < 0) return `Ended ${count(-remainingDays, "day")} ago`;
  return remainingDays === 0 ? "Last day" : `${count(remainingDays, "day")} left`;
}
