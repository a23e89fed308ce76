import type { CampaignWork } from "@/lib/progress/responses";

const maxPValue = 0.05;

type Tally = { lines: number; accepted: number; duplicates: number };
type Tallies<Row> = { rows: Row[]; rest: Tally & { count: number } };

/** Circulators with an unusual validity rate (`outlier`), and circulators and clerks with many duplicates (`repeats`). */
export function markOutliers({ circulators, clerks }: Pick<CampaignWork, "circulators" | "clerks">) {
  const isCirculator = ({ circulator }: { circulator: string | null }) => circulator !== null;
  const validity = outliers(circulators, "accepted", isCirculator);
  const byCirculator = outliers(circulators, "duplicates", isCirculator);
  const byClerk = outliers(clerks, "duplicates", ({ userId }) => userId !== null);
  return {
    circulators: circulators.rows.map((row, index) => ({
      ...row,
      outlier: validity[index] ?? null,
      repeats: byCirculator[index] === "high",
    })),
    clerks: clerks.rows.map((row, index) => ({ ...row, repeats: byClerk[index] === "high" })),
  };
}

/**
 * Fisher's exact test of each row against all others, at 5% for all tests together (Holm, Scandinavian Journal of Statistics 6,
 * 1979). Rows without a name aren't tested, but count among the others.
 */
function outliers<Row extends Tally>(
  { rows, rest }: Tallies<Row>,
  field: "accepted" | "duplicates",
  isNamed: (row: Row) => boolean,
): ("high" | "low" | null)[] {
  const all = [...rows, rest];
  const lines = all.reduce((sum, row) => sum + row.lines, 0);
  const total = all.reduce((sum, row) => sum + row[field], 0);
  const named = rows.filter(isNamed);
  const tested = named
    .map((row) => ({ row, pValue: fisherTest({ lines: row.lines, hits: row[field] }, { lines, hits: total }) }))
    .sort((a, b) => a.pValue - b.pValue);
  // Rows that aren't listed count as tested, too.
  const cutoff = tested.findIndex(({ pValue }, index) => pValue > maxPValue / (named.length + rest.count - index));
  const outlierRows = new Set(tested.slice(0, cutoff === -1 ? tested.length : cutoff).map(({ row }) => row));
  return rows.map((row) => (outlierRows.has(row) ? (row[field] / row.lines > total / lines ? "high" : "low") : null));
}

type Counts = { lines: number; hits: number };

// Two-sided p-value of this many hits among lines drawn at random: twice the smaller tail of the hypergeometric distribution.
function fisherTest({ lines, hits }: Counts, all: Counts): number {
  const others = all.lines - all.hits;
  const logChance = logChoose(all.hits, hits) + logChoose(others, lines - hits) - logChoose(all.lines, lines);
  const here = Math.exp(logChance);
  const tail = (step: 1 | -1) => {
    let [sum, term] = [here, here];
    // From one count to the next the chance changes by a ratio.
    for (let count = hits; term > sum * 1e-12; count += step) {
      const [from, to] = step === 1 ? [count, count + 1] : [count - 1, count];
      const ratio = ((all.hits - from) * (lines - from)) / (to * (others - lines + to));
      term *= step === 1 ? ratio : 1 / ratio;
      sum += term;
    }
    return sum;
  };
  return Math.min(1, 2 * Math.min(tail(1), tail(-1)));
}

function logChoose(total: number, taken: number) {
  return logFactorial(total) - logFactorial(taken) - logFactorial(total - taken);
}

// Stirling's series (Abramowitz and Stegun, 6.1.41); small ones one by one.
function logFactorial(count: number) {
  let result = 0;
  let x = count + 1;
  for (; x < 10; x++) result -= Math.log(x);
  const inverse = 1 / x ** 2;
  const series = (1 / 12 - inverse * (1 / 360 - inverse / 1260)) / x;
  return result + (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}
