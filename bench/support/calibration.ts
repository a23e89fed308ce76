import { daysBetween } from "../../lib/format/days.ts";
import { assessProgress } from "../../lib/progress/forecast.ts";
import { computePace } from "../../lib/progress/pace.ts";
import { kinds, randomCampaign } from "./random-campaign.ts";

const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

/** Compares forecasts of random campaigns with their results, and with a prediction from the last week's pace. */
export function calibration({ campaigns, seed }: { campaigns: number; seed: number }) {
  const all = Array.from({ length: campaigns }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? "steady";
    const { progress, result } = randomCampaign(seed * 100_000 + index, kind);
    const { chance, final } = assessProgress(progress).forecast ?? { chance: null, final: null };
    const daysLeft = daysBetween(progress.today, progress.endsOn ?? progress.today);
    const goal = progress.goal ?? 0;
    const qualified = result >= goal ? 1 : 0;
    const naive = progress.accepted + (computePace(progress).last7 ?? 0) * daysLeft >= goal ? 1 : 0;
    return {
      kind,
      chance,
      qualified,
      naive,
      contained: final && final.low <= result && result <= final.high ? 1 : 0,
      error: final ? final.estimate / result - 1 : 0,
    };
  });
  const called = all.flatMap(({ chance, ...one }) => (chance === null ? [] : [{ ...one, chance }]));
  return {
    rows: Array.from({ length: 10 }, (_, at) => {
      const of = called.filter(({ chance }) => Math.min(9, Math.floor(chance * 10)) === at);
      return {
        from: at / 10,
        count: of.length,
        mean: mean(of.map((one) => one.chance)),
        qualified: mean(of.map((one) => one.qualified)),
      };
    }),
    covered: {
      all: mean(all.map(({ contained }) => contained)),
      ...Object.fromEntries(
        kinds.map((kind) => [kind, mean(all.filter((one) => one.kind === kind).map(({ contained }) => contained))]),
      ),
    },
    bias: Object.fromEntries(
      kinds.map((kind) => [kind, mean(all.filter((one) => one.kind === kind).map(({ error }) => error))]),
    ),
    brier: mean(called.map(({ chance, qualified }) => (chance - qualified) ** 2)),
    naive: mean(called.map(({ naive, qualified }) => (naive - qualified) ** 2)),
  };
}
