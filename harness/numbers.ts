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

/** Runs the ways in turn, so that what else the machine does affects all of them. Returns the times of each, in ms. */
export async function timeInTurn(
  ways: (readonly [name: string, run: () => Promise<unknown>])[],
  { warmUp, rounds }: { warmUp: number; rounds: number },
): Promise<Map<string, number[]>> {
  const times = new Map(ways.map(([name]): [string, number[]] => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, run] of ways) {
      const beganAt = performance.now();
      await run();
      if (round >= 0) times.get(name)?.push(performance.now() - beganAt);
    }
  }
  return times;
}

/** Whole seconds since a moment of `performance.now()`. */
export const secondsSince = (beganAt: number) => ((performance.now() - beganAt) / 1000).toFixed(0);
