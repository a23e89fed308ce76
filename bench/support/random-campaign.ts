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
  const random = seededRandom(seed);
  const between = (low: number, high: number) => low + random() * (high - low);
  const gaussian = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const durationDays = Math.round(between(60, 180));
  const currentDay = Math.round(durationDays * between(0.2, 0.9));
  const linesPerDay = between(40, 200);
  const validity = between(0.65, 0.92);
  const population = linesPerDay * durationDays * between(3, 40);
  const [maxLagDays, maxEntryDelayDays, unevenness] = [between(0, 8), between(0, 6), between(0.1, 0.6)];
  const goal = Math.round(linesPerDay * durationDays * validity * between(0.6, 1.15));

  let hiredCount = 0;
  const hire = () => ({
    id: hiredCount++,
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
  const lagsDays: number[] = [];
  for (let day = 0; day < durationDays; day++) {
    if (kind === "circulators") crew = crew.filter(() => random() > 0.015);
    if (kind === "circulators" && random() < 0.09) crew.push(hire());
    const weekday = kind === "weekly" ? ([0.5, 0.5, 0.6, 0.7, 1.2, 2, 1.5][day % 7] ?? 1) : 1;
    const surge =
      kind === "surge" ? (day < durationDays * 0.75 ? 0.8 : 0.8 + (1.6 * (day / durationDays - 0.75)) / 0.25) : 1;
    for (const { id, speed, validity: circulatorValidity } of crew) {
      const lines = Math.max(
        0,
        Math.round((linesPerDay / 6) * speed * weekday * surge * (1 + unevenness * gaussian())),
      );
      for (let firstLine = 0; firstLine < lines; firstLine += sheetSize) {
        const size = Math.min(sheetSize, lines - firstLine);
        const quality = Math.min(1, Math.max(0, circulatorValidity + 0.05 * gaussian()));
        const openedDay = day + Math.floor(between(0, maxLagDays + 1));
        const enteredDay = openedDay + Math.floor(between(0, maxEntryDelayDays + 1));
        const signers = Array.from({ length: size }, () =>
          random() > quality
            ? -1
            : kind === "clustered" && random() < 0.2
              ? population + id * 1e6 + Math.floor(random() * 4_000)
              : Math.floor(random() * population),
        ).filter((voter) => voter >= 0);
        for (const voter of signers) voters.add(voter);
        if (openedDay > currentDay) continue;
        lagsDays.push(openedDay - day);
        const key = dayAfter(start, day);
        collectedDays.set(key, (collectedDays.get(key) ?? 0) + size);
        total.collected += size;
        if (enteredDay > currentDay) continue;
        const newSigners = signers.filter((voter) => !seen.has(voter) && seen.add(voter)).length;
        total.entered += size;
        total.accepted += newSigners;
        total.duplicates += signers.length - newSigners;
        sheetSums.count += 1;
        sheetSums.lines += size;
        sheetSums.valid += signers.length;
        sheetSums.linesSquared += size ** 2;
        sheetSums.linesValid += size * signers.length;
        sheetSums.validSquared += signers.length ** 2;
        const countsOfDay = days.get(dayAfter(start, enteredDay)) ?? { accepted: 0, entered: 0 };
        days.set(dayAfter(start, enteredDay), {
          accepted: countsOfDay.accepted + newSigners,
          entered: countsOfDay.entered + size,
        });
      }
    }
  }
  const byDay = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
  return {
    result: voters.size,
    progress: {
      today: dayAfter(start, currentDay),
      goal,
      startsOn: start,
      endsOn: dayAfter(start, durationDays - 1),
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
      lagDays: lagsDays.sort((a, b) => a - b)[Math.ceil(lagsDays.length * 0.9) - 1] ?? 0,
    },
  };
}
