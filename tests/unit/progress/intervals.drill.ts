import { expect, test } from "vitest";
import { paceOf } from "../../../lib/progress/pace.ts";
import { estimateValid, wilsonInterval } from "../../../lib/progress/valid-estimate.ts";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";

// How often the 95 % intervals contain the true value, in random campaigns with a fixed seed.

const collected = 20_000;
const rounds = 1_000;

type Campaign = { enteredShare: number; validShare: number; pairShare: number };
const grid: Campaign[] = [0.05, 0.2, 0.5, 0.9].flatMap((enteredShare) =>
  [0.6, 0.75, 0.93].flatMap((validShare) =>
    [0, 0.01, 0.05].map((pairShare) => ({ enteredShare, validShare, pairShare })),
  ),
);

const withRandom = (seed: number) => {
  const next = seededRandom(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  // Moves `first` random items to the front.
  const shuffle = (items: Int32Array, first: number) => {
    for (let place = 0; place < first; place++) {
      const other = place + below(items.length - place);
      const moved = items[place] ?? 0;
      items[place] = items[other] ?? 0;
      items[other] = moved;
    }
    return items;
  };
  return { next, below, shuffle };
};
type Random = ReturnType<typeof withRandom>;

const seenIn = new Int32Array(collected);
let counts = 0;

// Counts the first lines, which are voters by number, or −1 for an invalid line.
function count(lines: Int32Array, first: number) {
  counts += 1;
  let [accepted, duplicates] = [0, 0];
  for (let place = 0; place < first; place++) {
    const voter = lines[place] ?? -1;
    if (voter < 0) continue;
    if (seenIn[voter] === counts) duplicates += 1;
    else accepted += 1;
    seenIn[voter] = counts;
  }
  return { collected: lines.length, entered: first, accepted, duplicates };
}

// How often the estimate contains the true value, when each round returns lines in their order of entry.
function heldShare(enteredShare: number, rounds: number, round: () => Int32Array) {
  let [held, bias] = [0, 0];
  for (let at = 0; at < rounds; at++) {
    const lines = round();
    const { accepted: truth } = count(lines, lines.length);
    const estimate = estimateValid(count(lines, enteredShare * lines.length));
    if (!estimate) throw new Error("Nothing is entered.");
    if (estimate.low <= truth && truth <= estimate.high) held += 1;
    bias += (estimate.estimate - truth) / truth / rounds;
  }
  return { held: held / rounds, bias };
}

// Valid lines first, some of them in pairs of the same voter.
function allLines({ validShare, pairShare }: Campaign) {
  const [valid, pairs] = [collected * validShare, collected * pairShare];
  return Int32Array.from({ length: collected }, (_, at) => (at >= valid ? -1 : at < 2 * pairs ? at >> 1 : at));
}

test("the estimate contains the true value where lines are entered in random order", { timeout: 300_000 }, () => {
  const rows = grid.map((world, at) => {
    const { shuffle } = withRandom(at + 1);
    const lines = allLines(world);
    return { ...world, ...heldShare(world.enteredShare, 1_000, () => shuffle(lines, world.enteredShare * collected)) };
  });
  for (const { held, bias, ...world } of rows) {
    // Without duplicates, the side of the interval for unseen pairs can't fail.
    const most = world.pairShare === 0 ? 0.99 : 0.97;
    expect(held, JSON.stringify(world)).toBeGreaterThanOrEqual(0.93);
    expect(held, JSON.stringify(world)).toBeLessThanOrEqual(most);
    expect(Math.abs(bias), JSON.stringify(world)).toBeLessThan(0.01);
  }
});

test("the interval contains the true share of valid lines", () => {
  const rows = [20, 100, 500, 5_000].flatMap((lines) =>
    [0.05, 0.5, 0.75, 0.93].map((share) => {
      const { next } = withRandom(lines);
      let held = 0;
      for (let round = 0; round < rounds; round++) {
        let valid = 0;
        for (let line = 0; line < lines; line++) if (next() < share) valid += 1;
        const interval = wilsonInterval(valid, lines);
        if (interval && interval.low <= share && share <= interval.high) held += 1;
      }
      return { lines, share, held: held / rounds };
    }),
  );
  // Few lines have few possible shares, so any interval varies around 95 %.
  const mean = rows.reduce((sum, { held }) => sum + held / rows.length, 0);
  expect(mean).toBeGreaterThan(0.94);
  expect(mean).toBeLessThan(0.96);
  for (const { held, lines, share } of rows) expect(held, `${lines} ${share}`).toBeGreaterThanOrEqual(0.91);
});

// Days of a campaign, with or without work on weekends, whose counts vary by chance or more.
test("the band contains the day of the goal", () => {
  const today = "2026-11-22";
  const dayOf = (ahead: number) => new Date(Date.parse(today) + ahead * 86_400_000).toISOString().slice(0, 10);
  const kinds = {
    "by chance alone": (_day: number, { next }: Random) => gaussian(100, 10, next),
    "days differ by half": (_day: number, { next }: Random) => gaussian(100, 50, next),
    "no work on weekends": (day: number, { next }: Random) => ((day + 70) % 7 < 5 ? gaussian(140, 30, next) : 0),
  };
  const rows = Object.entries(kinds).flatMap(([kind, countOf]) =>
    [7, 14, 28].flatMap((known) =>
      [10, 60].map((ahead) => {
        const random = withRandom(known * ahead);
        let held = 0;
        for (let round = 0; round < rounds; round++) {
          const shift = random.below(7);
          const days = Array.from({ length: known }, (_, at) => countOf(at - known + shift, random)).map(
            (accepted, at) => ({ ...{ day: dayOf(at - known), accepted, entered: accepted } }),
          );
          const accepted = days.reduce((sum, day) => sum + day.accepted, 0);
          const goal = accepted + ahead * 100;
          let [sum, on] = [accepted, -1];
          while (sum < goal) sum += countOf(++on + shift, random);
          const { met } = paceOf({
            ...{ today, goal, endsOn: null, startsOn: null, archivedAt: null, accepted, days },
            ...{ entered: accepted, duplicates: 0, collected: accepted, teams: 1 },
            own: { accepted, entered: accepted },
          });
          if (met?.band && met.band.earliest <= dayOf(on) && dayOf(on) <= (met.band.latest ?? "9")) held += 1;
        }
        return { kind, known, ahead, held: held / rounds };
      }),
    ),
  );
  // Whole days make a band wider than necessary.
  for (const { held, ...row } of rows) expect(held, JSON.stringify(row)).toBeGreaterThanOrEqual(0.93);
});

function gaussian(mean: number, deviation: number, next: () => number) {
  const wave = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return Math.max(0, Math.round(mean + deviation * wave));
}
