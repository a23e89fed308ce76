import { validNeeded } from "@/lib/campaigns/valid-needed";
import { type CountyOutlook, countyOutlooks } from "@/lib/progress/county-outlook";
import {
  type AssessedProgress,
  type Forecast,
  likely,
  minDuplicates,
  type ValidEstimate,
} from "@/lib/progress/forecast";
import { normalAbove } from "@/lib/progress/normal";
import type { CampaignProgress, OfficialRule } from "@/lib/progress/responses";
import { z95 } from "@/lib/progress/wilson-interval";

/** Signatures to turn in: all lines, the valid ones of distinct voters with their variance, and second lines of these voters. */
export type Petition = { lines: number; valid: number; variance: number; duplicates: number };

/**
 * Chances from 0 to 1. `qualifies` is to pass the sample, or the full count that follows. `counted` is how many valid
 * signatures the office would count on average.
 */
export type CheckOutcome = { pass: number; fullCount: number; fail: number; qualifies: number; counted: number };

const reach = 6; // in deviations of the valid count
const cells = 120;

/**
 * What an official check finds. The office rejects each valid line with the chance `rejection`; a voter counts if one of their
 * lines remains. From a sample of n of N lines, it projects A·s − A²·p valid signatures. A is N/n, s the valid lines of the
 * sample (nearly normal), p its pairs of the same voter (binomial). Both lines of a pair are drawn with the square of the share
 * (Goodman, Annals of Mathematical Statistics 20, 1949). Duplicates are pairs here; voters who signed three times are rare.
 */
export function checkOutcome({ lines, valid, variance, duplicates }: Petition, rule: OfficialRule): CheckOutcome {
  const acceptance = 1 - rule.rejection / 100;
  const paired = Math.min(duplicates, valid);
  const acceptanceOfPair = 1 - (1 - acceptance) ** 2;
  const mean = (valid - paired) * acceptance + paired * acceptanceOfPair;
  const ofCount =
    (valid - paired) * acceptance * (1 - acceptance) +
    paired * acceptanceOfPair * (1 - acceptanceOfPair) +
    variance * acceptance ** 2;
  const sd = Math.max(1e-6, Math.sqrt(ofCount));
  const pairs = paired * acceptance ** 2;
  const size = sampleSize(lines, rule);
  const pairDistribution =
    size < lines ? drawnPairs(pairs, size, lines).map((draw) => ({ ...draw, ...limits(draw.pairs, size) })) : [];

  function limits(pairsInSample: number, n: number) {
    return rule.method === "washington"
      ? { passFrom: washingtonLimit({ lines, n, pairs: pairsInSample, required: rule.required }), failBelow: 0 }
      : thresholdLimits({ scale: lines / n, pairs: pairsInSample, rule });
  }

  const outcome = { pass: 0, fullCount: 0, fail: 0, qualifies: 0, counted: mean };
  const within = 1 - 2 * normalAbove(reach);
  const step = (2 * reach) / cells;
  const enough = (rule.required - 0.5 - mean) / sd; // in deviations
  for (let from = -reach; from < reach - step / 2; from += step) {
    const share = (normalAbove(from) - normalAbove(from + step)) / within;
    const reached = Math.min(1, Math.max(0, (from + step - enough) / step));
    if (pairDistribution.length === 0) {
      outcome.pass += share * reached;
      outcome.fail += share * (1 - reached);
      outcome.qualifies += share * reached;
      continue;
    }
    const validShare = Math.min(1, (mean + (from + step / 2) * sd + pairs) / lines);
    const inSample = size * validShare;
    const sampleSd = Math.sqrt(Math.max(1e-9, (inSample * (1 - validShare) * (lines - size)) / Math.max(1, lines - 1)));
    const atLeast = (count: number) => normalAbove((Math.ceil(count) - 0.5 - inSample) / sampleSd);
    for (const { chance, passFrom, failBelow } of pairDistribution) {
      const pass = passFrom > size ? 0 : atLeast(passFrom);
      const fail = failBelow <= 0 ? 0 : 1 - atLeast(failBelow);
      const fullCount = Math.max(0, 1 - pass - fail);
      outcome.pass += share * chance * pass;
      outcome.fail += share * chance * fail;
      outcome.fullCount += share * chance * fullCount;
      outcome.qualifies += share * chance * (pass + fullCount * reached);
    }
  }
  return outcome;
}

function sampleSize(lines: number, { method, samplePercent, sampleMinimum }: OfficialRule) {
  if (method === "full") return lines;
  return Math.min(lines, Math.max(sampleMinimum ?? 0, Math.ceil(((samplePercent ?? 0) * lines) / 100 - 1e-9), 1));
}

// Valid lines in the sample from which it passes, and below which it fails: A·s − A²·p against the thresholds.
function thresholdLimits({ scale, pairs, rule }: { scale: number; pairs: number; rule: OfficialRule }) {
  const linesFor = (percent: number) => ((rule.required * percent) / 100 + scale ** 2 * pairs) / scale;
  return { passFrom: Math.floor(linesFor(rule.passPercent ?? 100)) + 1, failBelow: linesFor(rule.failPercent ?? 100) };
}

// WAC 434-379-010: of i invalid lines in the sample at most (i + 1.5·√i)/f are expected on the petition, with f = n/N. The
// pairs that it can still have, times f², are expected in the sample; it passes with at most 1.65·√ fewer.
function washingtonLimit({ lines, n, pairs, required }: { lines: number; n: number; pairs: number; required: number }) {
  const share = n / lines;
  const expected = ((1.65 + Math.sqrt(1.65 ** 2 + 4 * pairs)) / 2) ** 2;
  const room = share * (lines - required - expected / share ** 2);
  if (room < 0) return Number.POSITIVE_INFINITY;
  return n - Math.floor(((-1.5 + Math.sqrt(1.5 ** 2 + 4 * room)) / 2) ** 2);
}

// How many complete pairs the sample contains, with their chances: those that matter, around the most likely one.
function drawnPairs(pairs: number, size: number, lines: number) {
  const count = Math.round(pairs);
  const share = (size * (size - 1)) / (lines * Math.max(1, lines - 1));
  const odds = share / (1 - share);
  const likeliest = Math.min(count, Math.floor((count + 1) * share));
  const weights = new Map([[likeliest, 1]]);
  for (let pairCount = likeliest, weight = 1; pairCount < count && weight > 1e-9; pairCount++) {
    weight *= ((count - pairCount) / (pairCount + 1)) * odds;
    weights.set(pairCount + 1, weight);
  }
  for (let pairCount = likeliest, weight = 1; pairCount > 0 && weight > 1e-9; pairCount--) {
    weight *= pairCount / (count - pairCount + 1) / odds;
    weights.set(pairCount - 1, weight);
  }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return [...weights].map(([pairCount, weight]) => ({ pairs: pairCount, chance: weight / total }));
}

/** More lines, and valid ones among them; or why that is unknown. */
type MoreSignatures = { lines: number; valid: number } | "too-few-lines" | "too-many-duplicates";

const certainty = 0.95;
const maxTimes = 64; // as many lines as today

/** The petition with so many times its lines, as valid as those so far: duplicates grow with the square. */
function scaled({ lines, valid, variance, duplicates }: Petition, times: number): Petition {
  const more = { lines: lines * times, duplicates: duplicates * times ** 2, variance: variance * times };
  return { ...more, valid: (valid + duplicates) * times - more.duplicates };
}

/** What makes it 95 % likely to qualify: 0 lines if it is. */
export function moreToQualify(petition: Petition, rule: OfficialRule): MoreSignatures {
  const suffices = (times: number) => checkOutcome(scaled(petition, times), rule).qualifies >= certainty;
  const { lines, valid, duplicates } = petition;
  if (lines === 0 || valid === 0) return "too-few-lines";
  if (checkOutcome(petition, rule).qualifies >= certainty - 0.005) return { lines: 0, valid: 0 }; // shown as 95%
  // More lines bring more valid ones up to here.
  const max = duplicates === 0 ? maxTimes : Math.min(maxTimes, (valid + duplicates) / (2 * duplicates));
  if (max <= 1 || !suffices(max))
    return max < maxTimes && duplicates >= minDuplicates ? "too-many-duplicates" : "too-few-lines";
  let [low, high] = [1, max];
  while ((high - low) * lines > 0.5) {
    const middle = (low + high) / 2;
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  const enough = scaled(petition, high);
  return { lines: Math.ceil(enough.lines - lines), valid: Math.ceil(enough.valid - valid) };
}

/** What the office finds if what is on hand is turned in, and the chance to qualify with what the forecast expects. */
export type OfficialOutlook = {
  rule: OfficialRule;
  /** Valid signatures that leave the required ones with the margin. */
  needed: number;
  now: CheckOutcome;
  more: MoreSignatures;
  /** The result of `chanceToQualify`. */
  atEnd: number | null;
};

/** Null until the settings say how the office checks, before a line is entered, and once archived. */
export function officialOutlook(assessed: AssessedProgress): OfficialOutlook | null {
  const { progress, forecast } = assessed;
  const { official: rule } = progress;
  if (rule === null || forecast === null || progress.archivedAt !== null) return null;
  return {
    rule,
    needed: validNeeded(rule),
    now: outcomeToday(progress, forecast, rule),
    more: moreToQualify(forecastPetition(forecast.onHand, progress), rule),
    atEnd: chanceToQualify(assessed),
  };
}

// To qualify, the targets of all counties must be reached too: it is at most as likely as the least likely of these.
const withCounties = (chance: number, counties: CountyOutlook[]) =>
  Math.min(chance, ...counties.map((county) => county.chance ?? 1));

function outcomeToday(progress: CampaignProgress, { onHand }: Forecast, rule: OfficialRule): CheckOutcome {
  const outcome = checkOutcome(forecastPetition(onHand, progress), rule);
  return { ...outcome, qualifies: withCounties(outcome.qualifies, countyOutlooks(progress, onHand)) };
}

/** The chance from 0 to 1 to qualify if what is on hand is turned in today; null as `Forecast.chanceNow`. */
export function chanceToday({ progress, forecast }: AssessedProgress): number | null {
  const { official } = progress;
  return forecast && official ? outcomeToday(progress, forecast, official).qualifies : (forecast?.chanceNow ?? null);
}

/**
 * The chance from 0 to 1 that the campaign qualifies with what the forecast expects. That is to pass the official check or,
 * without one in the settings, to reach the goal. Null as `Forecast.chance`, and without a last day unless today's is high
 * enough.
 */
export function chanceToQualify(assessed: AssessedProgress): number | null {
  const { progress, forecast, counties } = assessed;
  const { official: rule } = progress;
  if (rule === null || !forecast || forecast.chance === null) return forecast?.chance ?? null;
  if (forecast.final === null) {
    const today = chanceToday(assessed) ?? 0;
    return today < likely ? null : today;
  }
  const chance = forecast.scenarios.reduce((sum, { share, lines, mean, sdBelow, sdAbove }) => {
    const sd = rule.required > mean * (1 - rule.rejection / 100) ? sdAbove : sdBelow;
    const duplicates = progress.duplicates * (lines / progress.entered) ** 2;
    return sum + share * checkOutcome({ lines, valid: mean, variance: sd ** 2, duplicates }, rule).qualifies;
  }, 0);
  return withCounties(chance, counties);
}

const forecastPetition = (
  { lines, estimate, low, high }: ValidEstimate,
  { duplicates, entered }: Pick<CampaignProgress, "duplicates" | "entered">,
): Petition => ({
  lines,
  valid: estimate,
  variance: ((high - low) / (2 * z95)) ** 2,
  duplicates: duplicates * (lines / entered) ** 2,
});
