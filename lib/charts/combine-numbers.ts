import type { Aggregation } from "@/lib/charts/chart-words";

/** The number of several groups together, or null where theirs do not tell it: an average of averages would be wrong. */
export function combineNumbers(
  { aggregation }: { aggregation: Aggregation },
  values: (number | null)[],
): number | null {
  const given = values.filter((value) => value !== null);
  if (aggregation === "avg" || given.length === 0) return null;
  if (aggregation === "min") return given.reduce((a, b) => Math.min(a, b));
  if (aggregation === "max") return given.reduce((a, b) => Math.max(a, b));
  return Number(given.reduce((a, b) => a + b).toPrecision(15));
}
