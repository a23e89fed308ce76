import type { ChartDisplay } from "@/lib/charts/definition/definition";
import type { ChartResult, ChartRow } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { type Aggregation, aggregations } from "@/lib/charts/definition/words";
import type { ShownRow } from "@/lib/charts/display/derive-numbers";

/** The number of several groups together, or null where theirs do not tell it: an average of averages would be wrong. */
export function combineNumbers(
  { aggregation }: { aggregation: Aggregation },
  values: (number | null)[],
): number | null {
  const given = values.filter((value) => value !== null);
  return given.length === 0 ? null : (aggregations[aggregation].combine?.(given) ?? null);
}

/** The order in which a result has the values of a day or its parts: what is not given comes last. */
export function comparePlaces(one: unknown, other: unknown) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "string" && typeof other === "string") return one < other ? -1 : Number(one > other);
  return (
    Number(typeof one !== "number" && typeof one !== "string") -
    Number(typeof other !== "number" && typeof other !== "string")
  );
}

/**
 * The rows of a result with only so many values of a column, those with the largest numbers: all others are one group, for
 * each value of the other columns. `axis` is the column whose order the rows follow.
 */
export function foldRest(
  { rows, metrics, groupBy }: ChartResult,
  top: NonNullable<ChartDisplay["top"]>,
  axis: ChartColumn | undefined,
) {
  const ranked = metrics.find(({ aggregation }) => aggregations[aggregation].addsUp) ?? metrics[0];
  const sizes = new Map<string, number>();
  const named = (row: ChartRow) => JSON.stringify(row.group[top.column] ?? null);
  for (const row of rows) {
    const size = Math.abs(ranked ? (row.values[ranked.key] ?? 0) : 0);
    sizes.set(named(row), (sizes.get(named(row)) ?? 0) + size);
  }
  if (sizes.size <= top.count) return rows;
  const kept = new Set(
    [...sizes]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, top.count)
      .map(([value]) => value),
  );
  const others = groupBy
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== top.column);
  const folds = Map.groupBy(
    rows.filter((row) => !kept.has(named(row))),
    (row) => JSON.stringify(others.map((name) => row.group[name] ?? null)),
  );
  const label = `other (${sizes.size - top.count})`;
  const rest = [...folds.values()].map((members): ShownRow => {
    const group: ChartRow["group"] = { ...members[0]?.group, [top.column]: label };
    return {
      key: groupBy
        .split(",")
        .map((name) => String(group[name.trim()] ?? ""))
        .join("|||"),
      group,
      values: Object.fromEntries(
        metrics.map((metric) => [
          metric.key,
          combineNumbers(
            metric,
            members.map((row) => row.values[metric.key] ?? null),
          ),
        ]),
      ),
      rest: members.length,
    };
  });
  const all: ShownRow[] = [...rows.filter((row) => kept.has(named(row))), ...rest];
  // By the axis again, the rest behind the others of its place.
  return axis && axis.name === groupBy.split(",")[0]?.trim()
    ? all.toSorted((one, other) => comparePlaces(one.group[axis.name], other.group[axis.name]))
    : all;
}
