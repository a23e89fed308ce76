import type { ChartDisplay, ChartFilter, ChartOrder, DerivedNumber } from "@/lib/charts/definition/definition";
import type { ChartResult, ChartRow } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { derivedLabel } from "@/lib/charts/display/chart-text";
import { daySpan } from "@/lib/charts/display/day-span";
import {
  addsUp,
  comparePlaces,
  foldOthers,
  groupKey,
  groupNames,
  type ShownMetric,
  type ShownRow,
  totalOf,
} from "@/lib/charts/display/fold-others";
import { mayBeginLate, partialDays } from "@/lib/charts/display/partial-periods";
import { emptyValue } from "@/lib/charts/display/points";
import { dayIn } from "@/lib/format/days";
import { compareTexts } from "@/lib/format/text";

const maxPeriods = 2000; // rows of periods without records

/** A result as a chart shows it, and the order of its rows, if that isn't the usual one. */
export type ShownResult = Omit<ChartResult, "metrics" | "rows"> & {
  metrics: ShownMetric[];
  rows: ShownRow[];
  order?: ChartOrder | undefined;
  goal?: ChartDisplay["goal"];
  axis?: ChartDisplay["axis"];
};

type Context = { carried?: ChartRow[] | null; filters?: ChartFilter[]; timeZone?: string };

/**
 * A result as its chart displays it: in order, with derived numbers, without hidden measures. Rare groups are folded into one.
 * A number that can't be derived exactly is null. Rows that aren't folded keep their `group`. Running totals begin with what is
 * `carried`. Days, weeks and months that are or may be partial have no change.
 */
export function deriveNumbers(
  result: ChartResult,
  display: ChartDisplay | null,
  columns: ChartColumn[],
  { carried = null, filters = [], timeZone = "UTC" }: Context = {},
): ShownResult {
  if (display === null) return result;
  const { derived, hidden, order, top, goal, axis: drawnAxis } = display;
  const groups = groupNames(result.groupBy);
  const axis = groups.map((name) => columns.find((column) => column.name === name)).find(isOrdered);
  const others = axis ? groups.filter((name) => name !== axis.name) : [];
  const axisValueOf = ({ group }: ShownRow) => (axis ? group[axis.name] : null);
  const metrics: ShownMetric[] = [...result.metrics];
  const metricByKey = (key: string) => metrics.find((metric) => metric.key === key);
  const { generatedAt } = result;
  const span = axis?.type === "date" ? daySpan(filters, axis, { columns, generatedAt, timeZone }) : null;
  const [first] = result.rows.map(axisValueOf).toSorted(comparePlaces);
  const isPartial = (place: unknown) =>
    (axis && span && partialDays(String(place), axis, span, dayIn(timeZone, generatedAt)) !== null) ||
    (axis && span && place === first && mayBeginLate(axis, span));
  const isCompared = (place: unknown, before: unknown) =>
    first !== undefined && place !== first && !isPartial(before) && !isPartial(place);
  let rows: ShownRow[] = top && groups.includes(top.column) ? foldOthers(result, top, axis) : result.rows;
  if (axis && carried) rows = withAbsent(rows, carried, { metrics, axis, others });
  if (axis && (carried || derived.some(({ kind }) => kind === "change")))
    rows = withEmptyPeriods(rows, metrics, groups, axis);

  // A running total follows the order of the numbers when its groups have no order.
  for (const number of derived.toSorted((a, b) => Number(a.kind === "cumulated") - Number(b.kind === "cumulated"))) {
    const metric = metricByKey(number.of);
    if (!metric) continue;
    if (number.kind === "cumulated" && axis === undefined) rows = inOrder(rows, order);
    const totalOfKey = (key: string) => {
      const usedMetric = metricByKey(key);
      return usedMetric ? totalOf(usedMetric, rows) : null;
    };
    const compute = deriveValue(number, metric, {
      rows,
      axis,
      axisValueOf,
      seriesOf: (row) => groupKey(row, others),
      carried: carried ?? [],
      isCompared,
    });
    rows = rows.map((row) => {
      const value = compute(row);
      const exact = value === null ? null : Number(value.toPrecision(15));
      return { ...row, values: { ...row.values, [number.key]: exact } };
    });
    const { segment, total, ...ofAll } = metric;
    metrics.push({
      ...ofAll,
      key: number.key,
      label: derivedLabel(number, metrics, columns, result.source),
      derived: number,
      ...(number.kind === "rate" && { total: rateOf(number, totalOfKey) }),
    });
  }
  const all = [...result.metrics, ...derived.flatMap(({ key }) => metricByKey(key) ?? [])];
  const shown = all.filter(({ key }) => !hidden.includes(key));
  return {
    ...result,
    metrics: shown.length > 0 ? shown : all,
    rows: inOrder(rows, order),
    order,
    ...(goal && { goal }),
    ...(drawnAxis && { axis: drawnAxis }),
  };
}

/** Rows in an order: missing values are last, and groups folded into one after them. */
export function inOrder(rows: ShownRow[], order: ChartOrder | undefined): ShownRow[] {
  if (order === undefined) return rows;
  const sign = order.descending ? -1 : 1;
  const sorted = ({ values, group }: ShownRow) => ("column" in order ? group[order.column] : values[order.by]) ?? null;
  return rows.toSorted((a, b) => {
    const [valueA, valueB] = [sorted(a), sorted(b)];
    const foldedLast = Number(a.foldedCount !== undefined) - Number(b.foldedCount !== undefined);
    return foldedLast || Number(valueA === null) - Number(valueB === null) || sign * compareValues(valueA, valueB);
  });
}

function compareValues(a: unknown, b: unknown) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return compareTexts(String(a), String(b));
}

type Layout = {
  rows: ShownRow[];
  axis: ChartColumn | undefined;
  axisValueOf: (row: ShownRow) => unknown;
  seriesOf: (row: ShownRow) => string;
  carried: ChartRow[];
  isCompared: (place: unknown, before: unknown) => boolean;
};

type Absent = { metrics: ShownMetric[]; axis: ChartColumn; others: string[] };

// Adds the groups that only have records before the shown days: their running total goes on.
function withAbsent(rows: ShownRow[], carried: ChartRow[], { metrics, axis, others }: Absent): ShownRow[] {
  const [first] = rows.map(({ group }) => group[axis.name] ?? null).toSorted(comparePlaces);
  if (first == null) return rows;
  const present = new Set(rows.map((row) => groupKey(row, others)));
  const absent = carried.filter((row) => !present.has(groupKey(row, others)));
  const values = emptyValues(metrics);
  return [...rows, ...absent.map(({ group }) => ({ group: { ...group, [axis.name]: first }, values }))];
}

const emptyValues = (metrics: ShownMetric[]) =>
  Object.fromEntries(metrics.map((metric) => [metric.key, emptyValue(metric)]));

// Adds periods without records between the first and the last: a fall to nothing is a change too.
function withEmptyPeriods(rows: ShownRow[], metrics: ShownMetric[], groups: string[], axis: ChartColumn) {
  const places = rows.map(({ group }) => group[axis.name]).toSorted(comparePlaces);
  const periods = listPeriods(places, axis, maxPeriods + 1); // one too many shows there are more
  const others = groups.filter((name) => name !== axis.name);
  const series = [...Map.groupBy(rows, (row) => groupKey(row, others)).values()];
  if (periods.length * series.length > maxPeriods) return rows;
  const all = series.flatMap((members) => {
    const [template] = members;
    const present = new Set<unknown>(members.map(({ group }) => group[axis.name]));
    const missing = periods.filter((period) => !present.has(period));
    const empty = missing.map(
      (period): ShownRow => ({
        group: { ...template?.group, [axis.name]: period },
        values: emptyValues(metrics),
        ...(template?.foldedCount !== undefined && { foldedCount: template.foldedCount }),
      }),
    );
    return [...members, ...empty].toSorted((a, b) => comparePlaces(a.group[axis.name], b.group[axis.name]));
  });
  if (axis.name !== groups[0]) return all;
  return all.toSorted((a, b) => comparePlaces(a.group[axis.name], b.group[axis.name]));
}

// How a derived number is computed for each row.
function deriveValue(
  number: DerivedNumber,
  metric: ShownMetric,
  { rows, axis, axisValueOf, seriesOf, carried, isCompared }: Layout,
) {
  const value = (row: ShownRow | undefined) => row?.values[number.of] ?? null;
  const isTotal = addsUp(metric) && metric.derived === undefined;
  switch (number.kind) {
    case "rate":
      return ({ values }: ShownRow) => rateOf(number, (key) => values[key] ?? null);
    case "share": {
      const total = isTotal ? rows.reduce((sum, row) => sum + (value(row) ?? 0), 0) : null;
      return (row: ShownRow) => quotient(value(row), total);
    }
    case "cumulated": {
      const sums = new Map(carried.map((row) => [seriesOf(row), value(row) ?? 0]));
      const upTo = new Map<ChartRow["group"], number>();
      for (const row of rows.toSorted((a, b) => comparePlaces(axisValueOf(a), axisValueOf(b)))) {
        const sum = (sums.get(seriesOf(row)) ?? 0) + (value(row) ?? 0);
        sums.set(seriesOf(row), sum);
        upTo.set(row.group, sum);
      }
      return ({ group }: ShownRow) => (isTotal ? (upTo.get(group) ?? null) : null);
    }
    case "change": {
      const keyAt = (row: ShownRow, place: unknown) => JSON.stringify([seriesOf(row), place]);
      const byPlace = new Map(rows.map((row) => [keyAt(row, axisValueOf(row)), row]));
      return (row: ShownRow) => {
        const before = axis && placeBefore(axisValueOf(row), axis);
        if (before === undefined || !isCompared(axisValueOf(row), before)) return null;
        const previous = byPlace.get(keyAt(row, before));
        const past = previous ? value(previous) : emptyValue(metric);
        const now = value(row);
        if (now === null || past === null) return null;
        return number.format === "percent" ? quotient(now - past, past) : now - past;
      };
    }
  }
}

function rateOf(
  { of, over, format }: Extract<DerivedNumber, { kind: "rate" }>,
  numberOf: (key: string) => number | null,
) {
  const rate = quotient(numberOf(of), numberOf(over));
  return rate !== null && format === "per100" ? rate * 100 : rate;
}

const quotient = (value: number | null, by: number | null) => (value === null || !by ? null : value / by);

function isOrdered(column: ChartColumn | undefined): column is ChartColumn {
  return column?.type === "date" || column?.type === "time" || column?.part != null;
}

/** The day, week, month, weekday or hour before; undefined for what has none. */
export function placeBefore(place: unknown, { type, part }: ChartColumn): string | number | undefined {
  if (typeof place === "number") return place - 1;
  if (type !== "date" || typeof place !== "string" || Number.isNaN(Date.parse(place))) return undefined;
  const date = new Date(place);
  if (part?.unit === "month") date.setUTCMonth(date.getUTCMonth() - 1);
  else date.setUTCDate(date.getUTCDate() - (part?.unit === "week" ? 7 : 1));
  return date.toISOString().slice(0, 10);
}

/** The periods from the first to the last of some places in order, the last one first. At most `max`. */
export function listPeriods(places: unknown[], axis: ChartColumn, max: number): (string | number)[] {
  const [first] = places;
  const periods: (string | number)[] = [];
  let place = places.findLast((candidate) => typeof candidate === "string" || typeof candidate === "number");
  while (place !== undefined && periods.length < max && comparePlaces(place, first) >= 0) {
    periods.push(place);
    place = placeBefore(place, axis);
  }
  return periods;
}

/** The day, Monday or first of the month that a day belongs to, as the column has it. */
export function periodStart(day: string, { part }: ChartColumn): string {
  const date = new Date(day);
  if (part?.unit === "month") date.setUTCDate(1);
  else if (part?.unit === "week") date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}
