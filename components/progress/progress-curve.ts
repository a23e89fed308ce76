import { dayAfter, dayIn, daysBetween } from "@/lib/format/days";
import { isVague, type ValidEstimate } from "@/lib/progress/forecast";
import type { CampaignProgress } from "@/lib/progress/responses";

const minDays = 7;

/** A point of a line: days since the first one of the chart, and signatures. */
export type CurvePoint = { at: number; total: number };

export type ProgressCurve = {
  /** First and last day of the chart, and how many days are between them. */
  from: string;
  to: string;
  span: number;
  /** The running total at the end of each day on which the line bends, until today. */
  accepted: CurvePoint[];
  /** From today to the goal on the last day; null without either, once it is met, and after the end. */
  needed: [CurvePoint, CurvePoint] | null;
  /** The forecast from today through the last day, with its band; null if the campaign isn't running or has no last day. */
  ahead: { line: [CurvePoint, CurvePoint]; band: [CurvePoint, CurvePoint, CurvePoint] } | null;
  /** Values of the horizontal lines, from 0. */
  ticks: number[];
  top: number;
};

/**
 * The running total of valid signatures as a chart needs it. `days` are those with lines, in order; what was accepted
 * before them is included from the start.
 */
export function progressCurve({
  days,
  accepted: total,
  goal,
  startsOn,
  endsOn,
  today,
  final,
}: Pick<CampaignProgress, "accepted" | "goal" | "startsOn" | "endsOn" | "today"> & {
  days: Pick<CampaignProgress["days"][number], "day" | "accepted">[];
  final: Omit<ValidEstimate, "lines"> | null;
}): ProgressCurve {
  const first = days[0]?.day ?? startsOn ?? today;
  const latest = days.at(-1)?.day ?? first;
  const from = [startsOn ?? first, dayAfter(first, -1)].sort()[0] ?? first;
  const over = endsOn !== null && today > endsOn;
  const remaining = goal === null ? 0 : Math.max(0, goal - total);
  const last = endsOn ?? today;
  const to = [last, latest, dayAfter(from, minDays), over ? last : today].sort().at(-1) ?? last;
  const span = daysBetween(from, to);

  const before = total - days.reduce((sum, { accepted }) => sum + accepted, 0);
  const accepted: CurvePoint[] = [{ at: 0, total: before }];
  let sum = before;
  for (const { day, accepted: more } of days) {
    const index = daysBetween(from, day);
    const previous = accepted.at(-1);
    if (previous && previous.at < index - 1) accepted.push({ at: index - 1, total: sum });
    sum += more;
    accepted.push({ at: index, total: sum });
  }
  const now = { at: daysBetween(from, today), total: sum };
  if (now.at > (accepted.at(-1)?.at ?? 0)) accepted.push(over ? { at: span, total: sum } : now);

  const goesOn = now.at >= 0 && now.at < span && !over;
  const highest = Math.max(goal ?? 0, total, (goesOn && final?.high) || 1);
  const ticks = ticksTo(highest);
  return {
    from,
    to,
    span,
    accepted,
    ticks,
    needed: goesOn && goal !== null && endsOn !== null && remaining > 0 ? [now, { at: span, total: goal }] : null,
    ahead:
      goesOn && endsOn !== null && final
        ? {
            line: [now, { at: span, total: final.estimate }],
            band: [now, { at: span, total: final.high }, { at: span, total: final.low }],
          }
        : null,
    top: Math.max(highest, ticks.at(-1) ?? 0) * 1.04,
  };
}

/** The curve of a campaign, without a forecast that is too vague. Of an archived one it ends on its last day, or when it was archived. */
export function curveOf(progress: CampaignProgress, final: ValidEstimate | null, timeZone: string): ProgressCurve {
  const { archivedAt, endsOn, today } = progress;
  if (archivedAt === null) return progressCurve({ ...progress, final: final && isVague(final) ? null : final });
  const [stoppedOn = today] = [dayIn(timeZone, archivedAt), endsOn ?? today].sort();
  return progressCurve({ ...progress, endsOn: null, final: null, today: stoppedOn });
}

// At most five round numbers.
function ticksTo(highest: number) {
  const size = 10 ** Math.floor(Math.log10(highest / 4));
  const step = Math.max(
    1,
    [1, 2, 2.5, 5, 10].map((times) => times * size).find((step) => highest / step <= 4) ?? highest,
  );
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, index) => index * step);
}

/** The total at the end of a day of the curve. */
export function totalOn({ accepted }: ProgressCurve, dayIndex: number): number {
  return accepted.findLast((point) => point.at <= dayIndex)?.total ?? 0;
}
