/** The 97.5 % quantile of the normal distribution, for 95 % intervals. */
export const z95 = 1.959964;

/** A share, from 0 to 1, with its 95 % interval. */
export type Rate = { rate: number; low: number; high: number };

/**
 * The share of successes with its 95 % interval by Wilson's method (Journal of the American Statistical Association 22, 1927).
 * It is accurate for small samples and near 0 and 1 (Brown, Cai and DasGupta, Statistical Science 16, 2001). Null without
 * trials.
 */
export function wilsonInterval(successes: number, trials: number): Rate | null {
  if (trials === 0) return null;
  const rate = successes / trials;
  const zSquaredOverN = z95 ** 2 / trials;
  const center = (rate + zSquaredOverN / 2) / (1 + zSquaredOverN);
  const halfWidth = Math.sqrt(zSquaredOverN * (rate * (1 - rate) + zSquaredOverN / 4)) / (1 + zSquaredOverN);
  return {
    rate,
    low: Math.max(0, Math.min(rate, center - halfWidth)),
    high: Math.min(1, Math.max(rate, center + halfWidth)),
  };
}
