import type { ChartMetric } from "../../lib/charts/definition/definition.ts";
import type { ChartResult, ChartRow } from "../../lib/charts/definition/result.ts";

/** A value of a group, or a number. */
export type Cell = ChartRow["group"][string];

/** A result from rows of group values followed by numbers: `["King", 3, 1.5]`. */
export function resultOf(groupBy: string, metrics: ChartMetric[], rows: Cell[][]): ChartResult {
  const names = groupBy === "" ? [] : groupBy.split(",");
  return {
    source: "signatures",
    groupBy,
    metrics,
    recordCount: 9,
    groupCount: rows.length,
    generatedAt: "2026-11-20T10:00:00.000Z",
    rows: rows.map((cells) => {
      const numbers = cells.slice(names.length).map((value) => (typeof value === "number" ? value : null));
      return {
        key: cells.slice(0, names.length).join("|||"),
        group: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null])),
        values: Object.fromEntries(metrics.map(({ key }, index) => [key, numbers[index] ?? null])),
      };
    }),
  };
}
