/** The chance that a standard normal variable is above z (Abramowitz and Stegun, 26.2.17). */
export function normalAbove(z: number): number {
  if (Number.isNaN(z)) return 0.5;
  if (z < 0) return 1 - normalAbove(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI)) * series;
}
