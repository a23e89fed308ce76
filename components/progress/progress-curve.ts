import { dayAfter, daysBetween } from "@/lib/format/days";

const shortest = 7; // days that a chart shows at least
const farthest = 365; // days beyond today that a goal without a last day may lie, to be drawn

/** A point of a line: days since the first one of the chart, and signatures. */
export type CurvePoint = { at: number; total: number };

export type ProgressCurve = {
  /** First and last day of the chart, and how many days are between them. */
  from: string;
  to: string;
  span: number;
  /** Accepted signatures at the end of each day on which there is something to tell, up to today. */
  accepted: CurvePoint[];
  /** From today to the goal on the last day; null when it has no such day, or is met, or it is over. */
  needed: [CurvePoint, CurvePoint] | null;
  /** On from today as on the last days; null when nothing goes on. */
  ahead: [CurvePoint, CurvePoint] | null;
  /** Values of the lines across, from 0; the chart ends at the last one or at the goal, whichever is higher. */
  ticks: number[];
  top: number;
};

/**
 * The accepted signatures of a campaign, cumulated, as a drawing needs them. `days` are those with lines, in their order;
 * what was accepted before the first of them is at the beginning already. `aDay` is the pace that goes on, a number of
 * signatures a day.
 */
export function progressCurve({
  days,
  accepted: total,
  goal,
  startsOn,
  endsOn,
  today,
  aDay,
}: {
  days: { day: string; accepted: number }[];
  accepted: number;
  goal: number | null;
  startsOn: string | null;
  endsOn: string | null;
  today: string;
  aDay: number;
}): ProgressCurve {
  const first = days[0]?.day ?? startsOn ?? today;
  const latest = days.at(-1)?.day ?? first;
  const from = [startsOn ?? first, dayAfter(first, -1)].sort()[0] ?? first;
  const over = endsOn !== null && today > endsOn;
  const left = goal === null ? 0 : Math.max(0, goal - total);
  const reach = aDay > 0 && left > 0 ? Math.min(farthest, Math.ceil(left / aDay)) : 0;
  const last = endsOn ?? dayAfter(today, reach);
  const to = [last, latest, dayAfter(from, shortest), over ? last : today].sort().at(-1) ?? last;
  const span = daysBetween(from, to);

  const before = total - days.reduce((sum, { accepted }) => sum + accepted, 0);
  const accepted: CurvePoint[] = [{ at: 0, total: before }];
  let sum = before;
  for (const { day, accepted: more } of days) {
    const at = daysBetween(from, day);
    const previous = accepted.at(-1);
    if (previous && previous.at < at - 1) accepted.push({ at: at - 1, total: sum });
    sum += more;
    accepted.push({ at, total: sum });
  }
  const now = { at: daysBetween(from, today), total: sum };
  if (now.at > (accepted.at(-1)?.at ?? 0)) accepted.push(over ? { at: span, total: sum } : now);

  const goesOn = now.at >= 0 && now.at < span && !over;
  const end = goesOn ? Math.min(span - now.at, reach || span - now.at) : 0;
  const highest = Math.max(goal ?? 0, total, 1);
  const ticks = ticksTo(highest);
  return {
    ...{ from, to, span, accepted, ticks },
    needed: goesOn && goal !== null && endsOn !== null && left > 0 ? [now, { at: span, total: goal }] : null,
    ahead:
      goesOn && aDay > 0 && left > 0 ? [now, { at: now.at + end, total: Math.min(sum + aDay * end, highest) }] : null,
    top: Math.max(highest, ticks.at(-1) ?? 0) * 1.04,
  };
}

// At most five, at round numbers.
function ticksTo(highest: number) {
  const size = 10 ** Math.floor(Math.log10(highest / 4));
  const step = Math.max(
    1,
    [1, 2, 2.5, 5, 10].map((times) => times * size).find((step) => highest / step <= 4) ?? highest,
  );
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, index) => index * step);
}

/** What is accepted at the end of a day of the curve. */
export function totalOn({ accepted }: ProgressCurve, at: number): number {
  return accepted.findLast((point) => point.at <= at)?.total ?? 0;
}
