import type { Format } from "@/lib/format/format-of";

/** What stands for a number that there is none of: the average of nothing. */
const noValue = "no value";

/** A metric's number for people. */
export function valueText(value: number | null, { number }: Format): string {
  return value === null ? noValue : number(value);
}

/** The same for an axis, where there is little room: `12K`, `1.5M`. */
export function axisValueText(value: number, { number, compact }: Format): string {
  return Math.abs(value) < 10_000 ? number(value) : compact(value);
}
