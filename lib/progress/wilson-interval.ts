/** The 97.5 % quantile of the normal distribution, for 95 % intervals. */
export const normalQuantile = 1.959964;

/** A share, from 0 to 1, with its 95 % interval. */
export type Rate = { rate: number; low: number; high: number };

/**
 * The share of successes with its 95 % interval after Wilson (Journal of the American Statistical Association 22, 1927, p.
 * 209), which is also good for small numbers and near 0 and 1 (Brown, Cai and DasGupta, Statistical Science 16(2), 2001).
 * Null without trials.
 */
export function wilsonInterval(successes: number, trials: number): Rate | null {
  if (trials === 0) return null;
  const rate = successes / trials;
  const z2 = normalQuantile ** 2 / trials;
  const middle = (rate + z2 / 2) / (1 + z2);
  const reach = Math.sqrt(z2 * (rate * (1 - rate) + z2 / 4)) / (1 + z2);
  return { rate, low: Math.max(0, Math.min(rate, middle - reach)), high: Math.min(1, Math.max(rate, middle + reach)) };
}
