import { dayAfter } from "../../lib/format/days.ts";
import type { CampaignProgress } from "../../lib/progress/responses.ts";
import { seededRandom } from "../../scripts/demo-data/seeded-random.ts";

export const kinds = ["steady", "weekly", "surge", "circulators", "clustered"] as const;
const start = "2026-01-05";
const sheetSize = 20;

/**
 * A random campaign as Signet sees it on a day before its end, and its final number of valid signatures. The goal comes from
 * its plan, without knowledge of the result. `surge` collects up to three times as much at the end, `circulators` come and
 * go, `clustered` duplicates are signed twice with the same circulator.
 */
export function randomCampaign(
  seed: number,
  kind: (typeof kinds)[number],
): { progress: CampaignProgress; result: number } {
  const next = seededRandom(seed);
  const between = (low: number, high: number) => low + next() * (high - low);
  const gaussian = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const length = Math.round(between(60, 180));
  const now = Math.round(length * between(0.2, 0.9));
  const aDay = between(40, 200);
  const validity = between(0.65, 0.92);
  const population = aDay * length * between(3, 40);
  const [maxLag, entryDelay, unevenness] = [between(0, 8), between(0, 6), between(0.1, 0.6)];
  const goal = Math.round(aDay * length * validity * between(0.6, 1.15));

  let hired = 0;
  const hire = () => ({
    id: hired++,
    speed: between(0.4, 1.6),
    validity: Math.min(0.98, Math.max(0.3, validity + 0.06 * gaussian())),
  });
  let crew = Array.from({ length: 6 }, hire);
  const voters = new Set<number>();
  const seen = new Set<number>();
  const days = new Map<string, { accepted: number; entered: number }>();
  const collectedDays = new Map<string, number>();
  const sheetSums = { count: 0, lines: 0, valid: 0, linesSquared: 0, linesValid: 0, validSquared: 0 };
  const total = { accepted: 0, entered: 0, duplicates: 0, collected: 0 };
  const lags: number[] = [];
  for (let day = 0; day < length; day++) {
    if (kind === "circulators") crew = crew.filter(() => next() > 0.015);
    if (kind === "circulators" && next() < 0.09) crew.push(hire());
    const weekday = kind === "weekly" ? ([0.5, 0.5, 0.6, 0.7, 1.2, 2, 1.5][day % 7] ?? 1) : 1;
    const surge = kind === "surge" ? (day < length * 0.75 ? 0.8 : 0.8 + (1.6 * (day / length - 0.75)) / 0.25) : 1;
    for (const { id, speed, validity: ofLines } of crew) {
      const lines = Math.max(0, Math.round((aDay / 6) * speed * weekday * surge * (1 + unevenness * gaussian())));
      for (let first = 0; first < lines; first += sheetSize) {
        const size = Math.min(sheetSize, lines - first);
        const quality = Math.min(1, Math.max(0, ofLines + 0.05 * gaussian()));
        const opened = day + Math.floor(between(0, maxLag + 1));
        const entered = opened + Math.floor(between(0, entryDelay + 1));
        const mine = Array.from({ length: size }, () =>
          next() > quality
            ? -1
            : kind === "clustered" && next() < 0.2
              ? population + id * 1e6 + Math.floor(next() * 4_000)
              : Math.floor(next() * population),
        ).filter((voter) => voter >= 0);
        for (const voter of mine) voters.add(voter);
        if (opened > now) continue;
        lags.push(opened - day);
        const key = dayAfter(start, day);
        collectedDays.set(key, (collectedDays.get(key) ?? 0) + size);
        total.collected += size;
        if (entered > now) continue;
        const fresh = mine.filter((voter) => !seen.has(voter) && seen.add(voter)).length;
        total.entered += size;
        total.accepted += fresh;
        total.duplicates += mine.length - fresh;
        sheetSums.count += 1;
        sheetSums.lines += size;
        sheetSums.valid += mine.length;
        sheetSums.linesSquared += size ** 2;
        sheetSums.linesValid += size * mine.length;
        sheetSums.validSquared += mine.length ** 2;
        const onDay = days.get(dayAfter(start, entered)) ?? { accepted: 0, entered: 0 };
        days.set(dayAfter(start, entered), { accepted: onDay.accepted + fresh, entered: onDay.entered + size });
      }
    }
  }
  const byDay = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);
  return {
    result: voters.size,
    progress: {
      today: dayAfter(start, now),
      goal,
      startsOn: start,
      endsOn: dayAfter(start, length - 1),
      archivedAt: null,
      ...total,
      teams: 1,
      own: { accepted: total.accepted, entered: total.entered },
      sheetSums,
      checked: { lines: 0, errors: 0 },
      counties: [],
      withCounty: { accepted: 0, entered: 0 },
      official: null,
      days: [...days].sort(byDay).map(([day, counts]) => ({ day, ...counts })),
      collectedDays: [...collectedDays].sort(byDay).map(([day, lines]) => ({ day, lines })),
      lagDays: lags.sort((one, other) => one - other)[Math.ceil(lags.length * 0.9) - 1] ?? 0,
    },
  };
}
