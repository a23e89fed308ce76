import type { ChartDisplay, ChartMetric, DerivedNumber } from "@/lib/charts/definition/definition";
import type { ChartResult, ChartRow } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { aggregations } from "@/lib/charts/definition/words";

/** A measure, or a number derived from one, whose aggregation it then has. `total`: of a rate, that of all groups together. */
export type ShownMetric = ChartMetric & { derived?: DerivedNumber; total?: number | null };

/** A group, or several groups folded into one: `foldedCount` is how many. */
export type ShownRow = Omit<ChartRow, "key"> & { foldedCount?: number };

/** The names of the columns that a result is grouped by, in order. */
export const groupNames = (groupBy: string) => groupBy.split(",").flatMap((name) => name.trim() || []);

/** A text that is equal for rows with equal values in these columns. */
export const groupKey = ({ group }: Pick<ShownRow, "group">, names: string[]) =>
  JSON.stringify(names.map((name) => group[name] ?? null));

/** Whether the numbers of all groups are parts of one total. */
export const addsUp = ({ aggregation }: ShownMetric) => aggregations[aggregation].addsUp;

/** Whether the numbers of several groups determine the number of all of them. */
export const canCombine = ({ aggregation, derived }: ShownMetric) =>
  !derived && aggregations[aggregation].combine !== null;

/** The number of several groups together, or null when theirs don't determine it, as for averages. */
export function combineNumbers({ aggregation, derived }: ShownMetric, values: (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  return derived || present.length === 0 ? null : (aggregations[aggregation].combine?.(present) ?? null);
}

/** The total of all rows of a table; null for numbers that don't add up. */
export function totalOf(metric: ShownMetric, rows: ShownRow[]): number | null {
  if (metric.total !== undefined) return metric.total;
  if (metric.aggregation === "registered" && !metric.derived) return sumRegisteredVoters(rows, metric.key);
  const values = rows.map((row) => row.values[metric.key] ?? null);
  return addsUp(metric) ? combineNumbers(metric, values) : null;
}

/** What several groups together are called. */
export const otherLabel = (groups: number) => `Other (${groups} ${groups === 1 ? "group" : "groups"})`;

/** The order of days, weekdays and hours; missing values come last. */
export function comparePlaces(a: unknown, b: unknown) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : Number(a > b);
  const isMissing = (value: unknown) => Number(typeof value !== "number" && typeof value !== "string");
  return isMissing(a) - isMissing(b);
}

/**
 * The rows of a result with only the values of a column that have the largest numbers. All other values become one group
 * for each combination of the other columns. `axis` is the column whose order the rows follow.
 */
export function foldOthers(
  { rows, metrics, groupBy }: ChartResult,
  top: NonNullable<ChartDisplay["top"]>,
  axis: ChartColumn | undefined,
): ShownRow[] {
  const ranked = metrics.find(addsUp) ?? metrics[0];
  const sizeOf = (row: ChartRow) => Math.abs(ranked ? (row.values[ranked.key] ?? 0) : 0);
  const topValue = (row: ChartRow) => groupKey(row, [top.column]);
  const sizes = [...Map.groupBy(rows, topValue)].map(
    ([value, members]) => [value, members.reduce((sum, row) => sum + sizeOf(row), 0)] as const,
  );
  if (sizes.length <= top.count + 1) return rows; // “Other (1 group)” would save no room
  const largest = sizes.toSorted(([, a], [, b]) => b - a).slice(0, top.count);
  const shown = new Set(largest.map(([value]) => value));
  const names = groupNames(groupBy);
  const others = names.filter((name) => name !== top.column);
  const rest = rows.filter((row) => !shown.has(topValue(row)));
  const folds = Map.groupBy(rest, (row) => groupKey(row, others));
  const folded = [...folds.values()].map((members): ShownRow => {
    const group: ChartRow["group"] = { ...members[0]?.group, [top.column]: otherLabel(sizes.length - top.count) };
    const combined = (metric: ChartMetric) => {
      if (metric.aggregation === "registered")
        return sumRegisteredVoters(top.column === "county" ? rest : members, metric.key);
      const values = members.map((row) => row.values[metric.key] ?? null);
      return combineNumbers(metric, values);
    };
    return {
      group,
      values: Object.fromEntries(metrics.map((metric) => [metric.key, combined(metric)])),
      foldedCount: members.length,
    };
  });
  const all = [...rows.filter((row) => shown.has(topValue(row))), ...folded];
  if (axis === undefined || axis.name !== names[0]) return all;
  return all.toSorted((a, b) => comparePlaces(a.group[axis.name], b.group[axis.name]));
}

// The registered voters of all counties of some rows, each once; null if one of them isn't known.
function sumRegisteredVoters(rows: ShownRow[], key: string) {
  const byCounty = new Map(rows.map(({ group, values }) => [group.county, values[key] ?? null]));
  return [...byCounty.values()].reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}
