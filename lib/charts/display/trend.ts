import { isTime } from "@/lib/charts/definition/columns";
import { formatGroupValue, formatValue, isInPercent, metricUnit, momentType } from "@/lib/charts/display/chart-text";
import { daySpan } from "@/lib/charts/display/day-span";
import { periodStart, placeBefore } from "@/lib/charts/display/derive-numbers";
import { comparePlaces, type ShownMetric, type ShownRow } from "@/lib/charts/display/fold-others";
import { type ChartSubject, groupColumns } from "@/lib/charts/display/model";
import { mayBeginLate, partialDays, periodEnd } from "@/lib/charts/display/partial-periods";
import { emptyValue } from "@/lib/charts/display/points";
import { dayIn } from "@/lib/format/days";

export type Trend = {
  /** The last whole day, week or month with records. */
  period: string;
  numbers: { metric: ShownMetric; value: number | null; row: ShownRow | undefined; change: string | null }[];
  /** The running day, week or month, which isn't compared: it isn't over. */
  soFar: { period: string; values: (number | null)[] } | null;
};

/** Whether the groups of a chart are days, weeks or months, so that its number has one before. */
export function hasTrend(subject: Pick<ChartSubject, "result" | "columns">): boolean {
  const [column, ...more] = groupColumns(subject);
  return isTime(column) && column?.type === "date" && more.length === 0;
}

// The days, weeks or months of a chart in their order, with their rows; null without such groups.
function readPeriods(subject: ChartSubject) {
  const { result, columns, format, filters = [] } = subject;
  const [column] = groupColumns(subject);
  if (!column || !hasTrend(subject)) return null;
  const { generatedAt } = result;
  const placeOf = ({ group }: ShownRow) => group[column.name] ?? null;
  const rows = result.rows
    .filter((row) => typeof placeOf(row) === "string" && row.foldedCount === undefined)
    .toSorted((a, b) => comparePlaces(placeOf(a), placeOf(b)));
  const span = daySpan(filters, column, { columns, generatedAt, timeZone: format.timeZone });
  return { column, rows, placeOf, span, today: dayIn(format.timeZone, generatedAt) };
}

/**
 * The numbers of the last whole day, week or month of a chart, each with its change in words: `+120 (+10.8%) from 1,114 the
 * week before`. A period that filters cut isn't whole, and nothing is compared with a first week or month that may be partial.
 * Null without such groups or without a whole period.
 */
export function computeTrend(subject: ChartSubject): Trend | null {
  const { result, columns, format } = subject;
  const periods = readPeriods(subject);
  if (!periods) return null;
  const { column, rows, placeOf, span } = periods;
  const part = column.part?.unit;
  const now = periodStart(periods.today, column);
  const begins = (place: string) => span.first === undefined || span.first <= place;
  const leastAfterFirst = mayBeginLate(column, span) ? 1 : 0;
  const ends = (place: string) => span.last === undefined || periodEnd(place, column) <= span.last;
  const places = rows.map(placeOf);
  const rowAt = (place: unknown) => rows.find((row) => placeOf(row) === place);
  const [first, newest] = [places[0], places.at(-1)];
  let last = comparePlaces(newest, now) < 0 ? newest : placeBefore(now, column);
  if (typeof last === "string" && !ends(last)) last = placeBefore(last, column);
  if (typeof last !== "string" || comparePlaces(last, first) < 0 || !begins(last) || !ends(last)) return null;
  const past = placeBefore(last, column);
  const before = `the ${part === "week" || part === "month" ? part : "day"} before`;
  const numberAt = (place: unknown, metric: ShownMetric) => {
    const row = rowAt(place);
    return row ? (row.values[metric.key] ?? null) : emptyValue(metric);
  };
  const running = rowAt(now);
  return {
    period: formatGroupValue(last, column, format),
    numbers: result.metrics.map((metric) => {
      const value = numberAt(last, metric);
      const isAfterFirst = comparePlaces(past, first) >= leastAfterFirst;
      const known = momentType(metric, columns) === null && isAfterFirst && begins(String(past));
      const change = known ? changeText(value, numberAt(past, metric), { subject, metric, before }) : null;
      return { metric, value, row: rowAt(last), change };
    }),
    soFar: running
      ? { period: formatGroupValue(now, column, format), values: result.metrics.map((metric) => numberAt(now, metric)) }
      : null,
  };
}

/**
 * The numbers of the newest day, week or month with records. It is for a chart without a whole one, because a filter cut it or
 * it isn't over. Null without such groups.
 */
export function newestPeriod(subject: ChartSubject): Trend | null {
  const { result, format } = subject;
  const periods = readPeriods(subject);
  const row = periods?.rows.at(-1);
  if (!periods || !row) return null;
  const { column, placeOf, span, today } = periods;
  const isRunning = partialDays(String(placeOf(row)), column, span, today)?.isCut === false;
  const period = formatGroupValue(placeOf(row), column, format);
  return {
    period: isRunning ? `${period}, so far` : `${period}, partial`,
    numbers: result.metrics.map((metric) => ({ metric, value: row.values[metric.key] ?? null, row, change: null })),
    soFar: null,
  };
}

/** The period that a number shows: the last whole one, or without one the newest. */
export const shownPeriod = (subject: ChartSubject) => computeTrend(subject) ?? newestPeriod(subject);

type Compared = { subject: ChartSubject; metric: ShownMetric; before: string };

function changeText(value: number | null, past: number | null, { subject: { format }, metric, before }: Compared) {
  if (value === null || past === null) return null;
  const unit = metricUnit(metric);
  const was = `${formatValue(past, format, unit)} ${before}`;
  if (value === past) return `No change from ${was}`;
  const inPoints = isInPercent(unit);
  const differenceText = unit === "whole" || unit === "wholeDifference" ? format.wholeDifference : format.difference;
  const difference = inPoints
    ? `${format.difference((value - past) * 100)} percentage points`
    : differenceText(value - past);
  const relative = inPoints || past === 0 ? "" : ` (${format.relativeChange((value - past) / Math.abs(past))})`;
  return `${difference}${relative} from ${was}`;
}
