import type { CampaignWork } from "@/lib/progress/answers";

const level = 0.05;

/**
 * Which circulators have an unusually high or low validity rate, in the order of the rows: Fisher's exact test of each
 * against all others, at 5 % for all of them together (Holm, Scandinavian Journal of Statistics 6, 1979). Lines without a
 * circulator are compared with, but not tested.
 */
export function circulatorOutliers({ rows, rest }: CampaignWork["circulators"]): ("high" | "low" | null)[] {
  const all = [...rows, rest];
  const lines = all.reduce((sum, one) => sum + one.lines, 0);
  const accepted = all.reduce((sum, one) => sum + one.accepted, 0);
  const named = rows.filter(({ circulator }) => circulator !== null);
  const tested = named
    .map((row) => ({ row, chance: fisherTest(row, { lines, accepted }) }))
    .sort((one, other) => one.chance - other.chance);
  // Circulators beyond the rows count as tested.
  const firstByChance = tested.findIndex(({ chance }, place) => chance > level / (named.length + rest.count - place));
  const outliers = new Set(tested.slice(0, firstByChance === -1 ? tested.length : firstByChance).map(({ row }) => row));
  return rows.map((row) => {
    if (!outliers.has(row)) return null;
    return row.accepted / row.lines > accepted / lines ? "high" : "low";
  });
}

type Counts = { lines: number; accepted: number };

// Two-sided chance of this many accepted among lines drawn at random: twice the smaller tail of the hypergeometric distribution.
function fisherTest({ lines, accepted }: Counts, all: Counts): number {
  const others = all.lines - all.accepted;
  const logChance =
    logChoose(all.accepted, accepted) + logChoose(others, lines - accepted) - logChoose(all.lines, lines);
  const here = Math.exp(logChance);
  const tail = (step: 1 | -1) => {
    let [sum, term] = [here, here];
    // From one count to the next the chance changes by a ratio.
    for (let at = accepted; term > sum * 1e-12; at += step) {
      const [from, to] = step === 1 ? [at, at + 1] : [at - 1, at];
      const ratio = ((all.accepted - from) * (lines - from)) / (to * (others - lines + to));
      term *= step === 1 ? ratio : 1 / ratio;
      sum += term;
    }
    return sum;
  };
  return Math.min(1, 2 * Math.min(tail(1), tail(-1)));
}

function logChoose(of: number, taken: number) {
  return logFactorial(of) - logFactorial(taken) - logFactorial(of - taken);
}

// Stirling's series (Abramowitz and Stegun, 6.1.41); small ones one by one.
function logFactorial(of: number) {
  let result = 0;
  let x = of + 1;
  for (; x < 10; x++) result -= Math.log(x);
  const inverse = 1 / x ** 2;
  const series = (1 / 12 - inverse * (1 / 360 - inverse / 1260)) / x;
  return result + (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}
