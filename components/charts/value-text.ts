import { formatNumber } from "@/lib/format/format-number";

const compact = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });
const small = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 3 });

/** What stands for a number that there is none of: the average of nothing. */
const noValue = "no value";

/** A metric's number for people: thousands apart, at most two decimals, three digits below one. */
export function valueText(value: number | null): string {
  if (value === null) return noValue;
  if (Number.isInteger(value)) return formatNumber(value);
  return Math.abs(value) < 1 ? small.format(value) : formatNumber(Math.round(value * 100) / 100);
}

/** The same for an axis, where there is little room: `12k`, `1.5m`. */
export function axisValueText(value: number): string {
  return Math.abs(value) < 10_000 ? valueText(value) : compact.format(value).toLowerCase();
}

/** How many of something: `1 group`, `2 groups`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
