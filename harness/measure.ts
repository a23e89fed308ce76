/** The value below which this share of the values is; NaN if there are no values or the share is 1. */
export function quantile(values: number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

/** The median, of an even number the upper middle value; NaN if there are no values. */
export const median = (values: number[]) => quantile(values, 0.5);

/** The median of the rounds' ratios. */
export function ratio(values: number[], others: number[]): number {
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** Runs the variants in turn, so that other load affects all of them. Returns the times of each in ms. */
export async function timeInTurn(
  variants: (readonly [name: string, run: () => Promise<unknown>])[],
  { warmUp, rounds }: { warmUp: number; rounds: number },
): Promise<Map<string, number[]>> {
  const times = new Map(variants.map(([name]): [string, number[]] => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, run] of variants) {
      const startedAt = performance.now();
      await run();
      if (round >= 0) times.get(name)?.push(performance.now() - startedAt);
    }
  }
  return times;
}

/** The text of the whole seconds since a time of `performance.now()`. */
export const formatSecondsSince = (startedAt: number) => ((performance.now() - startedAt) / 1000).toFixed(0);
