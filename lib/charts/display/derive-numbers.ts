import type { ChartDisplay, ChartMetric, DerivedNumber } from "@/lib/charts/definition/definition";
import type { ChartResult, ChartRow } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { aggregations, metricLabel } from "@/lib/charts/definition/words";
import { comparePlaces, foldRest } from "@/lib/charts/display/fold-rest";

/** A measure, or a number derived from measures; that has the aggregation of what it is derived from. */
export type ShownMetric = ChartMetric & { derived?: DerivedNumber };

/** A group, or all groups beyond the first ones: `rest` says how many. */
export type ShownRow = ChartRow & { rest?: number };

/** A result as a chart shows it. `ordered`: its rows are in the order of a number. */
export type ShownResult = Omit<ChartResult, "metrics" | "rows"> & {
  metrics: ShownMetric[];
  rows: ShownRow[];
  ordered?: boolean;
  goal?: ChartDisplay["goal"];
};

/**
 * A result with what a chart makes of it: groups beyond the first ones folded into one, derived numbers beside the
 * measures, hidden measures left out, its rows in order. A number that cannot be derived exactly is null. The rows that are
 * no fold keep their `group`.
 */
export function deriveNumbers(result: ChartResult, display: ChartDisplay | null, columns: ChartColumn[]): ShownResult {
  if (display === null) return result;
  const { derived, hidden, order, top, goal } = display;
  const groups = result.groupBy.split(",").flatMap((name) => name.trim() || []);
  const axis = groups.map((name) => columns.find((column) => column.name === name)).find(isOrdered);
  const metrics: ShownMetric[] = [...result.metrics];
  let rows: ShownRow[] = top && groups.includes(top.column) ? foldRest(result, top, axis) : result.rows;

  const placeOf = (row: ShownRow) => (axis ? row.group[axis.name] : null);
  const others = axis ? groups.filter((name) => name !== axis.name) : [];
  const series = (row: ShownRow) => JSON.stringify(others.map((name) => row.group[name] ?? null));
  const known = (key: string) => metrics.find((metric) => metric.key === key);
  const put = (key: string, compute: (row: ShownRow) => number | null) => {
    rows = rows.map((row) => ({ ...row, values: { ...row.values, [key]: exact(compute(row)) } }));
  };
  const sorted = () => {
    if (order === undefined) return rows;
    const sign = order.descending ? -1 : 1;
    const value = (row: ShownRow) => row.values[order.by] ?? null;
    return rows.toSorted((one, other) => {
      const [a, b] = [value(one), value(other)];
      const rests = Number(one.rest !== undefined) - Number(other.rest !== undefined);
      return rests || Number(a === null) - Number(b === null) || sign * ((a ?? 0) - (b ?? 0));
    });
  };

  // The sum up to a group follows their order where they have none of their own.
  for (const number of derived.toSorted((a, b) => Number(a.kind === "cumulated") - Number(b.kind === "cumulated"))) {
    const { key, kind, of } = number;
    const metric = known(of);
    if (!metric) continue;
    const value = (row: ShownRow | undefined) => row?.values[of] ?? null;
    if (kind === "rate") put(key, (row) => quotient(value(row), row.values[number.over] ?? null));
    if (kind === "share") {
      const total = addsUp(metric) ? rows.reduce((sum, row) => sum + (value(row) ?? 0), 0) : null;
      put(key, (row) => quotient(value(row), total));
    }
    if (kind === "cumulated") {
      if (axis === undefined) rows = sorted();
      const sums = new Map<string, number>();
      const upTo = new Map<ChartRow["group"], number>();
      for (const row of rows.toSorted((a, b) => comparePlaces(placeOf(a), placeOf(b)))) {
        const sum = (sums.get(series(row)) ?? 0) + (value(row) ?? 0);
        sums.set(series(row), sum);
        upTo.set(row.group, sum);
      }
      put(key, ({ group }) => (addsUp(metric) ? (upTo.get(group) ?? null) : null));
    }
    if (kind === "change") {
      const at = (row: ShownRow, place: unknown) => JSON.stringify([series(row), place]);
      const places = new Map(rows.map((row) => [at(row, placeOf(row)), row]));
      const [first] = rows.map(placeOf).toSorted(comparePlaces);
      put(key, (row) => {
        const before = axis && placeBefore(placeOf(row), axis);
        if (before === undefined || first === undefined || placeOf(row) === first) return null;
        const found = places.get(at(row, before));
        const past = found ? value(found) : metric.aggregation === "count" && !metric.derived ? 0 : null;
        const now = value(row);
        if (now === null || past === null) return null;
        return number.format === "percent" ? quotient(now - past, past) : now - past;
      });
    }
    metrics.push({
      ...withoutSegment(metric),
      key,
      label: number.label || labelOf(number, metrics, columns),
      derived: number,
    });
  }
  const inOrder = derived.map(({ key }) => known(key)).filter((metric) => metric !== undefined);
  const all = [...result.metrics, ...inOrder];
  const shown = all.filter(({ key }) => !hidden.includes(key));
  return {
    ...result,
    metrics: shown.length > 0 ? shown : all,
    rows: sorted(),
    ordered: order !== undefined,
    ...(goal && { goal }),
  };
}

const addsUp = ({ aggregation, derived }: ShownMetric) => aggregations[aggregation].addsUp && derived === undefined;
const withoutSegment = ({ segment, ...metric }: ShownMetric) => metric;
const exact = (value: number | null) => (value === null ? null : Number(value.toPrecision(15)));
const quotient = (value: number | null, by: number | null) => (value === null || !by ? null : value / by);

function isOrdered(column: ChartColumn | undefined): column is ChartColumn {
  return column?.type === "date" || column?.type === "time" || column?.part != null;
}

function labelOf(number: DerivedNumber, metrics: ShownMetric[], columns: ChartColumn[]) {
  const label = (key: string) => {
    const metric = metrics.find((one) => one.key === key);
    return metric ? metricLabel(metric, columns) : key;
  };
  const of = label(number.of);
  switch (number.kind) {
    case "rate":
      return `${of} / ${label(number.over)}`;
    case "cumulated":
      return `${of}, cumulated`;
    case "share":
      return `${of}, share of all`;
    case "change":
      return `${of}, change`;
  }
}

// The day, week, month, weekday or hour before; undefined for what has none.
function placeBefore(place: unknown, { type, part }: ChartColumn): unknown {
  if (typeof place === "number") return place - 1;
  if (type !== "date" || typeof place !== "string" || Number.isNaN(Date.parse(place))) return undefined;
  const at = new Date(place);
  if (part?.unit === "month") at.setUTCMonth(at.getUTCMonth() - 1);
  else at.setUTCDate(at.getUTCDate() - (part?.unit === "week" ? 7 : 1));
  return at.toISOString().slice(0, 10);
}
