import { dayAfter, dayIn, daysBetween } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import type { CampaignProgress } from "@/lib/progress/answers";
import { estimateValid, normalQuantile, type ValidEstimate } from "@/lib/progress/valid-estimate";

const maxProjectionDays = 36_500;
const windowDays = 28; // whole weeks, so that each weekday counts alike
const minIntervalDays = 7;

/** Accepted signatures a day, and when they reach the goal; days are YYYY-MM-DD. */
export type Pace = {
  /** The mean of the last 7 and 28 days before today, or of those since the first line; null when that was today. */
  last7: number | null;
  last28: number | null;
  /** The mean of the 7 days before the last 7; null until there are as many. */
  weekBefore: number | null;
  /** For each day from today to the last one; null without a goal or last day, when the goal is met, and after the end. */
  needed: number | null;
  /** Null without a goal, when it is met, and when the pace of the last 28 days never meets it. */
  met: {
    on: string;
    /** After the last day of the campaign; below 0 before it. Null without a last day. */
    daysLate: number | null;
    /** 95 %; null with less than a week of data. `latest` is null when it can't be estimated. */
    band: { earliest: string; latest: string | null } | null;
  } | null;
};

/** A campaign's counts, and what follows from them. */
export type AssessedProgress = { progress: CampaignProgress; pace: Pace; estimate: ValidEstimate | null };

export function assessProgress(progress: CampaignProgress): AssessedProgress {
  return { progress, pace: paceOf(progress), estimate: estimateValid(progress) };
}

/**
 * The pace of a campaign, and the day it meets its goal if work goes on as in the last 28 days, days without lines
 * included.
 *
 * The band treats the lines of a day as quasi-Poisson (Wedderburn, Biometrika 61, 1974): their variance is the mean times a
 * dispersion of at least 1, estimated from the days (Pearson's, with Student's quantile). What t further days bring after k
 * known ones of mean m is then t·m with variance dispersion·m·t·(1 + t/k), Nelson's prediction of a count (Applied Life Data
 * Analysis, 1982); the band is the days on which both ends of that interval reach the goal. It assumes independent days and
 * nothing new; a weekly rhythm counts as chance and widens it.
 */
export function paceOf({ goal, accepted, endsOn, today, days }: CampaignProgress): Pace {
  const before = Math.min(windowDays, days[0] ? daysBetween(days[0].day, today) : 0);
  const byAgo = new Map(days.map((day) => [daysBetween(day.day, today), day.accepted]));
  const recent = Array.from({ length: before }, (_, index) => byAgo.get(index + 1) ?? 0);
  const soFar = byAgo.get(0) ?? 0;
  const missing = goal === null ? 0 : Math.max(0, goal - accepted);
  const left = endsOn === null ? 0 : daysBetween(today, endsOn) + 1;
  const perDay = mean(recent);
  return {
    last7: mean(recent.slice(0, 7)),
    last28: perDay,
    weekBefore: recent.length < 14 ? null : mean(recent.slice(7, 14)),
    needed: missing === 0 || left <= 0 ? null : (missing + soFar) / left,
    met:
      missing === 0 || !perDay
        ? null
        : projection(missing - Math.max(0, perDay - soFar), perDay, recent, { today, endsOn }),
  };
}

// `missing` is what is left for the days after today.
function projection(
  missing: number,
  perDay: number,
  recent: number[],
  { today, endsOn }: Pick<CampaignProgress, "today" | "endsOn">,
): Pace["met"] {
  const dayAt = (days: number) => dayAfter(today, Math.max(0, Math.ceil(days)));
  if (missing / perDay > maxProjectionDays) return null;
  const on = dayAt(missing / perDay);
  const daysLate = endsOn === null ? null : daysBetween(endsOn, on);
  if (recent.length < minIntervalDays) return { on, daysLate, band: null };

  // (missing − t·perDay)² = spread·t·(1 + t/k), solved for t.
  const spread = studentQuantile(recent.length - 1) ** 2 * dispersion(recent, perDay) * perDay;
  const ahead = Math.max(0, missing);
  const square = perDay ** 2 - spread / recent.length;
  const linear = 2 * ahead * perDay + spread;
  const root = Math.sqrt(linear ** 2 - 4 * square * ahead ** 2);
  const latest = square > 0 ? (linear + root) / (2 * square) : Number.POSITIVE_INFINITY;
  const earliest = dayAt((2 * ahead ** 2) / (linear + root));
  return { on, daysLate, band: { earliest, latest: latest > maxProjectionDays ? null : dayAt(latest) } };
}

function dispersion(counts: number[], expected: number) {
  const squares = counts.reduce((sum, one) => sum + (one - expected) ** 2, 0);
  return Math.max(1, squares / expected / (counts.length - 1));
}

// Two-sided 95 % (Abramowitz and Stegun, 26.7.5).
function studentQuantile(freedom: number) {
  const z = normalQuantile;
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}

function mean(counts: number[]) {
  return counts.length === 0 ? null : counts.reduce((sum, one) => sum + one, 0) / counts.length;
}

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
