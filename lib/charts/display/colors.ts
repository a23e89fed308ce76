import type { ChartColumn } from "@/lib/charts/definition/source";
import { resultLabels } from "@/lib/charts/display/chart-text";
import type { ChartPoint } from "@/lib/charts/display/points";

const colorCount = 9; // in app/globals.css: one for each status of a line

/** The color of groups that are folded, and of values that aren't known. */
export const otherColor = "var(--chart-other)";

/** The color at a position. */
export const colorAt = (index: number) => (index >= 0 && index < colorCount ? `var(--chart-${index + 1})` : otherColor);

/** The color of a value of a column whose values are known: the same in each chart, whatever else is shown. */
export function knownColor(value: unknown, { name, type }: ChartColumn): string | undefined {
  if (name === "verdict") return colorAt([...resultLabels.keys()].indexOf(String(value)));
  return type === "boolean" ? colorAt(value === true ? 0 : value === false ? 1 : -1) : undefined;
}

/** The color of a slice. */
export const sliceColor = ({ folded, color }: ChartPoint, index: number) =>
  folded > 0 ? otherColor : (color ?? colorAt(index));
