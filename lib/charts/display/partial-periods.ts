import type { ChartColumn } from "@/lib/charts/definition/source";
import { formatGroupValue } from "@/lib/charts/display/chart-text";
import { type DaySpan, daySpan } from "@/lib/charts/display/day-span";
import { comparePlaces, groupNames } from "@/lib/charts/display/fold-others";
import type { ChartSubject } from "@/lib/charts/display/model";
import type { ChartPoint } from "@/lib/charts/display/points";
import { dayAfter, dayIn } from "@/lib/format/days";

/** The last day of a day, week or month. */
export function periodEnd(place: string, { part }: ChartColumn): string {
  if (part?.unit === "week") return dayAfter(place, 6);
  if (part?.unit !== "month") return place;
  const next = new Date(place);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return dayAfter(next.toISOString().slice(0, 10), -1);
}

/**
 * The days of a day, week or month that filters and today leave, if it has more: a comparison with it means nothing. `isCut`:
 * filters leave some out. Null for a whole one.
 */
export function partialDays(place: string, axis: ChartColumn, span: DaySpan, today: string) {
  const end = periodEnd(place, axis);
  const isRunning = place <= today && today <= end;
  const soFar = isRunning ? today : end;
  const first = span.first !== undefined && span.first > place ? span.first : place;
  const last = span.last !== undefined && span.last < soFar ? span.last : soFar;
  const isCut = first > place || last < soFar;
  return isRunning || isCut ? { first, last, isCut } : null;
}

/** Whether the first week or month with records may be partial: records can begin in it, unless filters do. */
export const mayBeginLate = ({ part }: ChartColumn, { first }: DaySpan) =>
  first === undefined && (part?.unit === "week" || part?.unit === "month");

/** The last day of a filtered chart of days, weeks or months, at most the day when its numbers were read. */
export function lastCoveredDay(
  { result: { generatedAt }, columns, format: { timeZone }, filters = [] }: Omit<ChartSubject, "kind">,
  axis: ChartColumn,
) {
  const { last } = daySpan(filters, axis, { columns, generatedAt, timeZone });
  const today = dayIn(timeZone, generatedAt);
  return last !== undefined && last > today ? today : last;
}

function listPartial({ result, columns, format, filters = [] }: Omit<ChartSubject, "kind">, shown?: unknown[]) {
  const { generatedAt, groupBy, rows, metrics } = result;
  const { timeZone, shortDay } = format;
  const axis = columns.find(({ name, type }) => type === "date" && groupNames(groupBy).includes(name));
  if (!axis) return [];
  const span = daySpan(filters, axis, { columns, generatedAt, timeZone });
  const isCompared = metrics.some(({ derived }) => derived?.kind === "change");
  const places = new Set(shown ?? rows.map(({ group }) => group[axis.name]));
  return [...places].toSorted(comparePlaces).flatMap((place, index) => {
    if (typeof place !== "string") return [];
    const label = formatGroupValue(place, axis, format);
    const partial = partialDays(place, axis, span, dayIn(timeZone, generatedAt));
    if (!partial && index === 0 && isCompared && mayBeginLate(axis, span))
      return { place, note: `${label} is the first and may be partial, so nothing is compared with it.` };
    if (!partial) return [];
    const { first, last, isCut } = partial;
    const days = first === last ? shortDay(first) : `${shortDay(first)} to ${shortDay(last)}`;
    if (isCut) return { place, mark: "partial", note: `${label} is partial: ${days}.` };
    return { place, mark: "so far", note: `${label} is still in progress.` };
  });
}

/** Which days, weeks or months of a chart are partial: `Week of Nov 2, 2026 is partial: Nov 4 to Nov 8.` */
export const partialNotes = (subject: Omit<ChartSubject, "kind">) => listPartial(subject).map(({ note }) => note);

/** Points with partial ones marked, which look like a fall: `Week of Nov 2, 2026, so far`. */
export function markPartial(points: ChartPoint[], subject: Omit<ChartSubject, "kind">): ChartPoint[] {
  const partial = new Map<unknown, string | undefined>(
    listPartial(
      subject,
      points.map(({ value }) => value),
    ).map(({ place, mark }) => [place, mark]),
  );
  return points.map((point) => {
    const mark = partial.get(point.value);
    return mark ? { ...point, label: `${point.label}, ${mark}` } : point;
  });
}
