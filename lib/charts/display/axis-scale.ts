import type { ChartModel } from "@/lib/charts/display/model";
import type { ChartPoint } from "@/lib/charts/display/points";
import type { Format } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";

type Drawn = Pick<ChartModel, "stacked" | "goal" | "axis"> & { points: Pick<ChartPoint, "values">[] };

/**
 * The ends of a value axis and its ticks, which are round numbers: Recharts' own steps can be as odd as 0.85. It contains zero,
 * all values and the goal, unless someone has set its ends.
 */
export function axisScale({ points, stacked, goal, axis: { min, max } }: Drawn, isWhole: boolean) {
  const all = [0, goal?.value ?? 0, ...heightsOf(points, stacked)];
  const low = min ?? Math.min(...all);
  const high = Math.max(max ?? Math.max(...all), low + (isWhole ? 1 : 1e-9));
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [1, 2, 2.5, 5, 10].map((times) => times * power);
  const step = Math.max(isWhole ? 1 : 0, steps.find((size) => size >= rough * 0.999 && !(isWhole && size % 1)) ?? 1);
  const from = min ?? Math.floor(low / step + 1e-9) * step;
  const count = max === undefined ? Math.ceil((high - from) / step - 1e-9) : Math.floor((max - from) / step + 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, index) => Number((from + index * step).toPrecision(12)));
  return { domain: [from, max ?? ticks.at(-1) ?? high] as [number, number], ticks };
}

/** Where points are on their axis: stacks of negative and of positive numbers at their ends. */
export const heightsOf = (points: Drawn["points"], stacked: boolean) =>
  points.flatMap(({ values }) => {
    const present = values.filter((value) => value !== null);
    const sum = (list: number[]) => list.reduce((total, value) => total + value, 0);
    return stacked ? [sum(present.filter((value) => value < 0)), sum(present.filter((value) => value > 0))] : present;
  });

/** Whether a number is on an axis, whose ends someone may have set. */
export const isOnAxis = ({ min, max }: Drawn["axis"], y: number) => y >= (min ?? y) && y <= (max ?? y);

/** What is beyond the ends that someone has set for an axis: how many values, and the goal. */
export function cutOffNotes({ points, stacked, goal, unit, axis }: Drawn & Pick<ChartModel, "unit">, format: Format) {
  const heights = heightsOf(points, stacked);
  const note = (end: number | undefined, where: string, isBeyond: (y: number, end: number) => boolean) => {
    if (end === undefined) return [];
    const count = heights.filter((y) => isBeyond(y, end)).length;
    const hasGoal = goal !== null && isBeyond(goal.value, end);
    if (count === 0 && !hasGoal) return [];
    const what = [...(count > 0 ? [format.count(count, "value")] : []), ...(hasGoal ? ["the goal"] : [])];
    const are = count + Number(hasGoal) === 1 ? "is" : "are";
    return [`${capitalized(format.list(what))} ${are} ${where} ${format[unit](end)} and cut off.`];
  };
  return [...note(axis.max, "above", (y, max) => y > max), ...note(axis.min, "below", (y, min) => y < min)];
}
