import { daysBetween } from "../../lib/format/days.ts";
import { assessProgress } from "../../lib/progress/forecast.ts";
import { computePace } from "../../lib/progress/pace.ts";
import { kinds, randomCampaign } from "./random-campaign.ts";

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Compares forecasts of random campaigns with their results, and with a prediction from the last week's pace. */
export function calibration({ campaignCount, seed }: { campaignCount: number; seed: number }) {
  const campaigns = Array.from({ length: campaignCount }, (_, index) => {
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
  const forecasts = campaigns.flatMap(({ chance, ...campaign }) => (chance === null ? [] : [{ ...campaign, chance }]));
  return {
    rows: Array.from({ length: 11 }, (_, tenths) => {
      const called = forecasts.filter(({ chance }) => Math.round(chance * 10) === tenths);
      return {
        called: tenths / 10,
        count: called.length,
        mean: mean(called.map(({ chance }) => chance)),
        qualified: mean(called.map(({ qualified }) => qualified)),
      };
    }),
    covered: {
      all: mean(campaigns.map(({ contained }) => contained)),
      ...Object.fromEntries(
        kinds.map((kind) => [
          kind,
          mean(campaigns.filter((campaign) => campaign.kind === kind).map(({ contained }) => contained)),
        ]),
      ),
    },
    bias: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        mean(campaigns.filter((campaign) => campaign.kind === kind).map(({ error }) => error)),
      ]),
    ),
    brier: mean(forecasts.map(({ chance, qualified }) => (chance - qualified) ** 2)),
    naive: mean(forecasts.map(({ naive, qualified }) => (naive - qualified) ** 2)),
  };
}
