import type { ChartRow } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { aggregations, type TimeUnit } from "@/lib/charts/definition/words";
import { axisGroupText, formatGroupValue } from "@/lib/charts/display/chart-text";
import { combineNumbers, otherLabel, type ShownMetric } from "@/lib/charts/display/fold-others";
import type { Format } from "@/lib/format/format-of";

/** Identifies one number by its group and metric. */
export type ChartCell = { group: ChartRow["group"]; metricKey: string };

/** Opens the records behind a number. */
export type OnCellClick = ((cell: ChartCell) => void) | undefined;

/** A position on the axis. `values` and `cells` have one entry per series; a folded value has no cell. */
export type ChartPoint = {
  id: string;
  label: string;
  axisLabel: string;
  /** The value of the only axis column; undefined where the axis has several, or none. */
  value: unknown;
  /** Its own color, of a known value. */
  color?: string | undefined;
  /** How many groups were folded into it: 0 for a single group. */
  folded: number;
  values: (number | null)[];
  cells: (ChartCell | null)[];
};

/** What the points of a chart have in common. Functions that omit points add a note. */
type PointContext = { metrics: ShownMetric[]; format: Format; notes: string[] };

export const onlyInTable = (omittedCount: number, singular: string, { count }: Format) =>
  `${count(omittedCount, `more ${singular} is`, `more ${singular}s are`)} only in the table.`;

/** A metric's number where there are no records. */
export const emptyValue = ({ aggregation, derived }: ShownMetric) => (derived ? null : aggregations[aggregation].empty);

/** Only positive numbers have a slice. */
export function positivePoints(points: ChartPoint[], { notes, format }: PointContext) {
  const positive = points.filter(({ values: [value] }) => typeof value === "number" && value > 0);
  const omittedCount = points.length - positive.length;
  if (omittedCount > 0) notes.push(`${onlyInTable(omittedCount, "group", format)} Slices need a value above 0.`);
  return positive;
}

/** Sorts by size, then the missing value, then all other groups together. `rankByTotal` compares the sums of all series. */
export function largestFirst(points: ChartPoint[], rankByTotal: boolean) {
  return points.toSorted(
    (a, b) =>
      Number(a.folded > 0) - Number(b.folded > 0) ||
      Number(a.value === null) - Number(b.value === null) ||
      rank(b, rankByTotal) - rank(a, rankByTotal),
  );
}

function rank({ values }: ChartPoint, rankByTotal: boolean) {
  return (
    (rankByTotal ? values.reduce((sum, value) => (sum ?? 0) + (value ?? 0), 0) : values[0]) ?? Number.NEGATIVE_INFINITY
  );
}

/** How many points fit with so many bars each, where `max` fit with one. What isn't drawn, or is a dot, is no bar. */
export const fittingPoints = (bars: number, max: number) =>
  Math.min(max, Math.max(4, Math.floor(max / Math.min(3, Math.max(1, bars)))));

/** At most `max` points: the latest or largest as they are, the rest are combined into one point if the result is exact. */
export function foldPoints(
  points: ChartPoint[],
  { metrics, format, notes }: PointContext,
  { max, latest, inOrder, rankByTotal }: { max: number; latest: boolean; inOrder: boolean; rankByTotal: boolean },
): ChartPoint[] {
  if (points.length <= max) return points;
  const byRank = () => (inOrder ? points : points.toSorted((a, b) => rank(b, rankByTotal) - rank(a, rankByTotal)));
  const ranked = latest ? points.toReversed() : byRank();
  const missing = points.filter(({ value }) => value === null); // never folded: missing isn't rare
  const shown = new Set([...missing, ...ranked].slice(0, max - 1));
  const kept = points.filter((point) => shown.has(point));
  const folded = points.filter((point) => !shown.has(point));
  const values = metrics.map((metric, index) => {
    const numbers = folded.map((point) => point.values[index] ?? null);
    return combineNumbers(metric, numbers);
  });
  if (values.every((value) => value === null)) {
    notes.push(onlyInTable(folded.length, "group", format));
    return kept;
  }
  const label = latest ? format.count(folded.length, "earlier group") : otherLabel(folded.length);
  const other: ChartPoint = {
    id: "other",
    label,
    axisLabel: latest ? "earlier" : label,
    value: undefined,
    folded: folded.length,
    values,
    cells: values.map(() => null),
  };
  return latest ? [other, ...kept] : [...kept, other];
}

const msPerDay = 86_400_000;
const axisStepByUnit: Partial<Record<TimeUnit, number>> = { day: msPerDay, week: 7 * msPerDay, weekday: 1, hour: 1 };
const monthAfter = (position: number) => new Date(position).setUTCMonth(new Date(position).getUTCMonth() + 1);
const maxFilled = 400; // points, including those without records

/** A point's position on an axis of numbers or time; null if it has none. */
export function axisPosition({ value }: ChartPoint) {
  if (typeof value === "number") return value;
  const timestamp = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(timestamp) ? null : timestamp;
}

/**
 * Adds the days, weeks or hours without records, which a line would otherwise skip, up to the last point or day. Points
 * without a position are dropped.
 */
export function fillGaps(
  points: ChartPoint[],
  column: ChartColumn,
  { metrics, format }: PointContext,
  lastDay?: string,
): ChartPoint[] {
  const positioned = points.filter((point) => axisPosition(point) !== null);
  const pointByPosition = new Map(positioned.map((point) => [axisPosition(point), point]));
  const positions = [...pointByPosition.keys()].filter((position) => position !== null);
  const [start, last] = [positions[0], positions.at(-1)];
  // Two timestamps can share a millisecond; neither may be dropped.
  if (start === undefined || last === undefined || positions.length < Math.max(2, positioned.length)) return positioned;
  const unit = column.part?.unit;
  const gaps = positions.slice(1).map((position, index) => position - (positions[index] ?? 0));
  const step = (unit && axisStepByUnit[unit]) ?? Math.min(...gaps);
  if (unit !== "month" && gaps.some((gap) => gap % step !== 0)) return positioned;
  const end = lastDay === undefined ? last : Math.max(last, Date.parse(lastDay));
  const filled: ChartPoint[] = [];
  for (let position = start; position <= end; position = unit === "month" ? monthAfter(position) : position + step) {
    const isoTime = new Date(position).toISOString();
    const value = column.type === "number" ? position : column.type === "date" ? isoTime.slice(0, 10) : isoTime;
    const empty: ChartPoint = {
      id: JSON.stringify([value]),
      label: formatGroupValue(value, column, format),
      axisLabel: axisGroupText(value, column, format),
      value,
      folded: 0,
      values: metrics.map(emptyValue),
      cells: metrics.map(() => null),
    };
    filled.push(pointByPosition.get(position) ?? empty);
    if (filled.length > maxFilled) return positioned;
  }
  return filled;
}

/** Carries running totals over positions without records. */
export function carryTotals(points: ChartPoint[], metrics: ShownMetric[]): ChartPoint[] {
  const isRunningTotal = metrics.map(({ derived }) => derived?.kind === "cumulated");
  let previous = metrics.map(() => 0);
  return points.map((point) => {
    const values = point.values.map((item, index) => (isRunningTotal[index] ? (item ?? previous[index] ?? 0) : item));
    previous = values.map((value) => value ?? 0);
    return { ...point, values };
  });
}
