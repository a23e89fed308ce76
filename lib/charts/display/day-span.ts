import type { ChartCondition, ChartFilter } from "@/lib/charts/definition/definition";
import { isPeriod, resolvePeriod } from "@/lib/charts/definition/period";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { isTimeType } from "@/lib/charts/definition/words";
import { dayAfter, dayIn, toWallClock } from "@/lib/format/days";

/** The first and last day that filters fully include; undefined where they set no limit. */
export type DaySpan = { first: string | undefined; last: string | undefined };

type Columns = { columns: ChartColumn[]; generatedAt: string; timeZone: string };

/** The range that filters allow on a column of days, weeks or months. Alternatives are ignored. */
export function daySpan(
  filters: ChartFilter[],
  axis: ChartColumn,
  { columns, generatedAt, timeZone }: Columns,
): DaySpan {
  const base = axis.part?.of ?? axis.name;
  const ends = filters.flatMap((filter) => {
    if ("any" in filter) return [];
    const column = columns.find(({ name }) => name === filter.column);
    const isDay = column && isTimeType(column.type) && (column.part ?? { unit: "day" }).unit === "day";
    return isDay && (column.part?.of ?? column.name) === base
      ? [conditionSpan(filter, column, { generatedAt, timeZone })]
      : [];
  });
  const first = ends.flatMap((end) => end.first ?? []).toSorted();
  const last = ends.flatMap((end) => end.last ?? []).toSorted();
  return { first: first.at(-1), last: last.at(0) };
}

function conditionSpan(
  { operator, value }: ChartCondition,
  { type }: ChartColumn,
  result: Omit<Columns, "columns">,
): Partial<DaySpan> {
  if (typeof value !== "string" || (!isPeriod(value) && Number.isNaN(Date.parse(value)))) return {};
  const days = isPeriod(value)
    ? { ...resolvePeriod(value, dayIn(result.timeZone, result.generatedAt)), isCut: false }
    : daysAt(value, type, result.timeZone);
  const spans: Partial<Record<ChartCondition["operator"], Partial<DaySpan>>> = {
    eq: days,
    gte: { first: days.isCut ? dayAfter(days.first, 1) : days.first },
    gt: { first: dayAfter(days.last, 1) },
    lte: { last: days.isCut ? dayAfter(days.last, -1) : days.last },
    lt: { last: dayAfter(days.first, -1) },
  };
  return spans[operator] ?? {};
}

// A time within a day includes only part of that day.
function daysAt(value: string, type: ChartColumn["type"], timeZone: string) {
  const day = type === "time" ? dayIn(timeZone, value) : value;
  return { first: day, last: day, isCut: type === "time" && !toWallClock(value, timeZone).endsWith("T00:00") };
}
