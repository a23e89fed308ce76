import type { ChartRow } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { aggregations, type TimeUnit } from "@/lib/charts/definition/words";
import { axisGroupText, groupText } from "@/lib/charts/display/chart-text";
import { combineNumbers, type ShownMetric } from "@/lib/charts/display/fold-others";
import type { Format } from "@/lib/format/format-of";

/** One number: a group, and a metric of it. */
export type ChartCell = { group: ChartRow["group"]; metricKey: string };

/** Opens the records behind a number. */
export type OnCell = ((cell: ChartCell) => void) | undefined;

/** A place on the axis. `values` and `cells` have one entry per series; a folded value has no cell. */
export type ChartPoint = {
  id: string;
  label: string;
  axisLabel: string;
  /** The value of the only axis column; undefined where the axis has several, or none. */
  value: unknown;
  /** How many groups were folded into it: 0 for a single group. */
  folded: number;
  values: (number | null)[];
  cells: (ChartCell | null)[];
};

/** What the points of a chart have in common. Steps that leave something out say so in `notes`. */
type PointContext = { metrics: ShownMetric[]; format: Format; notes: string[] };

export const otherLabel = (groups: number, { count }: Format) => `Other (${count(groups, "group")})`;
export const onlyInTable = (left: number, one: string, { count }: Format) =>
  `${count(left, `more ${one} is`, `more ${one}s are`)} only in the table.`;

/** A metric's number where there are no records. */
export const emptyValue = ({ aggregation, derived }: ShownMetric) => (derived ? null : aggregations[aggregation].empty);

/** Only positive numbers have a slice. */
export function positivePoints(points: ChartPoint[], { notes, format }: PointContext) {
  const drawn = points.filter(({ values: [value] }) => typeof value === "number" && value > 0);
  const left = points.length - drawn.length;
  if (left > 0) notes.push(`${onlyInTable(left, "group", format)} Slices need a value above 0.`);
  return drawn;
}

/** The largest first; then the missing value, then all other groups together. `whole` ranks by the sum of all series. */
export function largestFirst(points: ChartPoint[], whole: boolean) {
  return points.toSorted(
    (a, b) =>
      Number(a.folded > 0) - Number(b.folded > 0) ||
      Number(a.value === null) - Number(b.value === null) ||
      rank(b, whole) - rank(a, whole),
  );
}

function rank({ values }: ChartPoint, whole: boolean) {
  return (whole ? values.reduce((sum, value) => (sum ?? 0) + (value ?? 0), 0) : values[0]) ?? Number.NEGATIVE_INFINITY;
}

/** At most `max` points: the latest or largest as they are, and all others folded into one where that is exact. */
export function foldPoints(
  points: ChartPoint[],
  { metrics, format, notes }: PointContext,
  { max, latest, inOrder, whole }: { max: number; latest: boolean; inOrder: boolean; whole: boolean },
): ChartPoint[] {
  if (points.length <= max) return points;
  const byRank = () => (inOrder ? points : points.toSorted((a, b) => rank(b, whole) - rank(a, whole)));
  const ranked = latest ? points.toReversed() : byRank();
  const missing = points.filter(({ value }) => value === null); // never folded: missing isn't rare
  const shown = new Set([...missing, ...ranked].slice(0, max - 1));
  const drawn = points.filter((one) => shown.has(one));
  const folded = points.filter((one) => !shown.has(one));
  const values = metrics.map((metric, index) => {
    const numbers = folded.map((one) => one.values[index] ?? null);
    return combineNumbers(metric, numbers);
  });
  if (values.every((value) => value === null)) {
    notes.push(onlyInTable(folded.length, "group", format));
    return drawn;
  }
  const label = latest ? format.count(folded.length, "earlier group") : otherLabel(folded.length, format);
  const other: ChartPoint = {
    id: "other",
    label,
    axisLabel: latest ? "earlier" : label,
    value: undefined,
    folded: folded.length,
    values,
    cells: values.map(() => null),
  };
  return latest ? [other, ...drawn] : [...drawn, other];
}

const day = 86_400_000; // ms
const steps: Partial<Record<TimeUnit, number>> = { day, week: 7 * day, weekday: 1, hour: 1 };
const monthAfter = (place: number) => new Date(place).setUTCMonth(new Date(place).getUTCMonth() + 1);
const maxFilled = 400; // points, including those without records

/** Where a point is on an axis of numbers or time; null where it is on none. */
export function axisPlace({ value }: ChartPoint) {
  if (typeof value === "number") return value;
  const moment = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? null : moment;
}

/** Adds the days, weeks or hours without records, which a line would otherwise skip. Points without a place are dropped. */
export function fillGaps(points: ChartPoint[], column: ChartColumn, { metrics, format }: PointContext): ChartPoint[] {
  const given = points.filter((one) => axisPlace(one) !== null);
  const known = new Map(given.map((one) => [axisPlace(one), one]));
  const places = [...known.keys()].filter((place) => place !== null);
  const [start, end] = [places[0], places.at(-1)];
  // Two moments can share a millisecond; neither may be dropped.
  if (start === undefined || end === undefined || places.length < Math.max(2, given.length)) return given;
  const unit = column.part?.unit;
  const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
  const step = (unit && steps[unit]) ?? Math.min(...gaps);
  if (unit !== "month" && gaps.some((gap) => gap % step !== 0)) return given;
  const filled: ChartPoint[] = [];
  for (let place = start; place <= end; place = unit === "month" ? monthAfter(place) : place + step) {
    const at = new Date(place).toISOString();
    const value = column.type === "number" ? place : column.type === "date" ? at.slice(0, 10) : at;
    const empty: ChartPoint = {
      id: JSON.stringify([value]),
      label: groupText(value, column, format),
      axisLabel: axisGroupText(value, column, format),
      value,
      folded: 0,
      values: metrics.map(emptyValue),
      cells: metrics.map(() => null),
    };
    filled.push(known.get(place) ?? empty);
    if (filled.length > maxFilled) return given;
  }
  return filled;
}

/** Carries running totals over places without records. */
export function carryTotals(points: ChartPoint[], metrics: ShownMetric[]): ChartPoint[] {
  const totals = metrics.map(({ derived }) => derived?.kind === "cumulated");
  let before = metrics.map(() => 0);
  return points.map((one) => {
    const values = one.values.map((value, index) => (totals[index] ? (value ?? before[index] ?? 0) : value));
    before = values.map((value) => value ?? 0);
    return { ...one, values };
  });
}
