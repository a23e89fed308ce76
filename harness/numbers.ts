/** The value that this share of the values lies below; NaN of none. */
export function quantile(values: number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}

/** The middle one; NaN of none. */
export const median = (values: number[]) => quantile(values, 0.5);

/** The middle one of the ratios of each value to the one of the same round. */
export function ratio(values: number[], others: number[]): number {
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}
