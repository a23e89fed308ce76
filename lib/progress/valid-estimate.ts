import type { CampaignProgress } from "@/lib/progress/answers";

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

/** Valid signatures, whole, with a 95 % interval. */
export type ValidEstimate = { estimate: number; low: number; high: number };

/**
 * Estimates how many valid signatures of distinct voters all N collected lines hold, from the n entered ones as if these
 * were drawn at random; null when none is entered. With A = N / n, a accepted and d duplicates that is
 * A·a − A·(A − 1)·d: each duplicate counts as A², because pairs grow with the square (Goodman, Annals of Mathematical
 * Statistics 20, 1949; Smith and Thomas, Journal of Official Statistics 21(3), 2005).
 *
 * Written as A·v − A²·d with v = a + d, its two parts hardly depend on each other. v is hypergeometric: Wilson's interval
 * with the correction for a finite population; d is Poisson: its score interval, narrowed by the known share of pairs. Zou and Donner's rule
 * (Statistics in Medicine 27, 2008) combines them side by side.
 */
export function estimateValid({
  collected,
  entered,
  accepted,
  duplicates,
}: Pick<CampaignProgress, "collected" | "entered" | "accepted" | "duplicates">): ValidEstimate | null {
  if (entered === 0) return null;
  const scale = collected / entered;
  const unknown = 1 - 1 / scale; // share of the lines
  const within = (value: number) => Math.round(Math.min(accepted + collected - entered, Math.max(accepted, value)));
  const estimate = scale * accepted - scale * (scale - 1) * duplicates;
  if (unknown === 0) return { estimate: accepted, low: accepted, high: accepted };

  const valid = (accepted + duplicates) / entered;
  const share = wilsonInterval(valid * (entered / unknown), entered / unknown) ?? { low: valid, high: valid };
  const pairs = poissonReach(duplicates);
  const pairScale = scale ** 2 * Math.sqrt(1 - (1 - unknown) ** 2);
  // Each known pair also adds two valid lines.
  const correlation =
    duplicates === 0 ? 0 : 2 * Math.sqrt(((1 - valid) * duplicates) / (valid * entered * (2 - unknown)));
  const reach = (ofLines: number, ofPairs: number) =>
    Math.sqrt(ofLines ** 2 + ofPairs ** 2 - 2 * correlation * ofLines * ofPairs);
  const low = estimate - reach(collected * (valid - share.low), pairScale * pairs.above);
  const high = estimate + reach(collected * (share.high - valid), pairScale * pairs.below);
  return { estimate: within(estimate), low: within(low), high: within(high) };
}

// How far the 95 % score interval of a Poisson mean reaches to each side of the count.
function poissonReach(counted: number) {
  const z2 = normalQuantile ** 2;
  const reach = Math.sqrt(z2 * (counted + z2 / 4));
  return { below: reach - z2 / 2, above: reach + z2 / 2 };
}
