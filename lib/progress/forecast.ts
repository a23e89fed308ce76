import { validAim } from "@/lib/campaigns/valid-needed";
import { daysBetween } from "@/lib/format/days";
import { type CountyOutlook, countyOutlooks } from "@/lib/progress/county-outlook";
import { normalAbove } from "@/lib/progress/normal";
import { collectionPace, type ProjectedLines, type Span } from "@/lib/progress/pace";
import type { CampaignProgress } from "@/lib/progress/responses";
import { z95 } from "@/lib/progress/wilson-interval";

/** Valid signatures, not rounded, with a 95% interval, on this many lines. */
export type ValidEstimate = { lines: number; estimate: number; low: number; high: number };

/** A possible outcome with its probability (`share`). Its valid signatures are nearly normal, wider on one side. */
type Scenario = { share: number; lines: number; mean: number; sdBelow: number; sdAbove: number };

export type Forecast = {
  /** Valid signatures on all collected sheets. */
  onHand: ValidEstimate;
  /** When all that is collected through the last day is entered; null without a last day. */
  final: ValidEstimate | null;
  /** The possible outcomes that `final` combines. */
  scenarios: Scenario[];
  /** Lines collected per day that it assumes; null if unknown. */
  aDay: number | null;
  /** The days that this was measured in; null if it is unknown or planned. */
  span: Span | null;
  /** Lines in `final` that were collected by today, at that pace, on sheets that aren't opened yet. */
  lateLines: number;
  /**
   * Lines to collect per day from tomorrow, so that it's likely to qualify. 0 if the lines on hand are enough; null if unknown
   * or no pace is enough.
   */
  neededADay: number | null;
  /** `neededADay` is enough for the goal, but no pace is enough for all counties. */
  isGoalOnly: boolean;
  /** Lines per day that reach the goal on average without a late rush; `leastADay` is the same without any more duplicates. */
  averageADay: number | null;
  leastADay: number | null;
  /** There are too many duplicates for any number of lines to reach the goal, even with the error that chance explains. */
  isNeverEnough: boolean;
  /** The probability that it qualifies; null without a goal, without lines, and when it's too early to say. */
  chance: number | null;
  /** The same, if nothing more is collected. */
  chanceNow: number | null;
  /** How many times more the validity rate varies between sheets than chance explains. */
  designEffect: number;
};

/** Assumptions about future sheets, instead of what was measured: lines a day from tomorrow, and the share that is valid. */
export type Plan = { aDay?: number | undefined; validity?: number | undefined };

/** A campaign's counts, and what follows from them. The forecast is null before a line is entered. */
export type AssessedProgress = { progress: CampaignProgress; forecast: Forecast | null; counties: CountyOutlook[] };

/** The chance from which a campaign or a county counts as likely to reach its goal, and below which it's unlikely. */
export const [likely, unlikely] = [0.9, 0.1];

/** Whether the range is too wide to be useful, as on the first days. */
export const isVague = ({ estimate, low, high }: ValidEstimate): boolean => high - low > 10 * estimate;

const minDays = 7;
/** The chance below which a campaign is hopeless on its first days. */
const hopeless = 0.001;
/** How many duplicates make their share known well enough. */
export const minDuplicates = 10; // fewer can be one circulator's doubled sheet
/** The weight of the usual error rate, in checked lines. */
const priorLines = 25;

/**
 * Forecasts the valid signatures of distinct voters. If a of the entered lines are accepted and d are duplicates, A times as
 * many lines have A·a − A·(A − 1)·d. Duplicates grow with the square (Goodman, Annals of Mathematical Statistics 20, 1949). To
 * qualify, the goal and the targets of all counties must be reached: it is as likely as the least likely of these. The goal is
 * `validAim`.
 *
 * Its variance has three parts. The validity rate is a ratio over sheets (Cochran, Sampling Techniques, 1977, chapter 6).
 * Duplicates are Poisson; if they cluster they grow more slowly, which adds part of the difference to a linear growth. The
 * lines to come vary as the weeks so far, and their pace drifts.
 *
 * Entry errors add a fourth part where the quality check has measured them: each wrong entry can count one valid signature too
 * many or too few. Nothing is assumed about which prevails: the net share is uniform between plus and minus the error rate. A
 * few checked lines say little, so the rate starts from the one in a hundred that is usual for entry (a beta distribution).
 */
export function assessProgress(progress: CampaignProgress, plan: Plan = {}): AssessedProgress {
  const { collected, entered, accepted, duplicates, endsOn, today, checked } = progress;
  const goal = validAim(progress);
  if (entered === 0) return { progress, forecast: null, counties: countyOutlooks(progress, null) };
  const pace = collectionPace(progress);
  const effect = designEffect(progress);
  const mayBeWrong = checked.lines > 0;
  // A line of twice the validity counts as two.
  const worth = plan.validity === undefined || accepted === 0 ? 1 : (plan.validity * entered) / accepted;

  const qualify = (coming: ProjectedLines, { duplicates } = progress) => {
    const all = collected + coming.lines;
    const most = all + z95 * deviationAbove(coming.variance, coming.surge) - (mayBeWrong ? 0 : entered - accepted);
    // Lines beyond the number with the most valid signatures bring only duplicates, no uncertainty.
    const lines = Math.max(collected, entered * bounded(all / entered, { valid: accepted + duplicates, duplicates }));
    const spread = estimateValid({ ...progress, duplicates }, { ...coming, lines, effect });
    const scenarios = toScenarios(spread, all, coming.surge);
    const valid = { lines: all, ...toEstimate(spread, mayBeWrong ? 0 : accepted, most) };
    const counties = countyOutlooks(progress, valid);
    if (goal === null) return { valid, scenarios, counties, chance: null, ofGoal: null };
    const ofGoal = accepted >= goal ? 1 : chanceOf(goal, scenarios);
    const chance = Math.min(ofGoal, ...counties.map((county) => county.chance ?? 1));
    return { valid, scenarios, counties, ofGoal, chance };
  };

  const now = qualify({ lines: 0, variance: 0, surge: 0 });
  const coming = endsOn === null ? null : pace.projectThrough(endsOn, { planned: plan.aDay, worth });
  const final = coming && qualify(coming);
  const { chance } = final ?? now;
  // A few duplicates can make it look hopeless by chance.
  const mayBeFewer = duplicates > 0 && duplicates < minDuplicates && chance !== null && chance < unlikely;
  const best = coming && mayBeFewer ? qualify(coming, { ...progress, duplicates: leastDuplicates(duplicates) }) : null;
  const isUnsure = (best?.chance ?? 0) >= unlikely;
  const over = endsOn !== null && today > endsOn;
  const isPlanned = (plan.aDay ?? plan.validity) !== undefined;
  // While it's too early, only what luck can't change is reported, or what a plan assumes.
  const isKnown =
    !isUnsure &&
    (over || isPlanned || (pace.span?.days ?? 0) >= minDays || (chance ?? 0) < hopeless || (now.chance ?? 0) > likely);
  const shown = isKnown && (endsOn !== null || (chance ?? 0) > likely) ? chance : null;
  const isOpen = goal !== null && endsOn !== null && today < endsOn;
  const enough = isOpen ? linesFor(progress, goal) : null;
  const lateLines = endsOn === null ? 0 : pace.projectThrough(endsOn, { planned: 0, worth }).lines;
  const toPace = (lines: number | null) =>
    isOpen && lines !== null ? Math.max(0, lines - collected - lateLines) / (worth * daysBetween(today, endsOn)) : null;
  const averageADay = toPace(enough);
  const paceFor = (basis: "chance" | "ofGoal") => {
    if (!isOpen) return null;
    const leastFor = (withLate: boolean) =>
      leastPace((planned) => qualify(pace.projectThrough(endsOn, { planned, worth, withLate }))[basis] ?? 0, {
        from: averageADay ?? 0,
        most: 30 * collected,
      });
    const least = leastFor(true);
    // Collecting nothing more is enough only without late sheets, which may not come.
    return least === 0 && (now[basis] ?? 0) < likely ? leastFor(false) : least;
  };
  const forAll = paceFor("chance");
  const isGoalOnly = isOpen && forAll === null && now.counties.length > 0;
  return {
    progress,
    forecast: {
      onHand: now.valid,
      final: final && (isUnsure && best ? { ...final.valid, high: best.valid.high } : final.valid),
      scenarios: final?.scenarios ?? [],
      chance: shown,
      chanceNow: now.chance,
      designEffect: effect,
      aDay: plan.aDay ?? pace.aDay,
      span: plan.aDay === undefined ? pace.span : null,
      lateLines,
      neededADay: isGoalOnly ? paceFor("ofGoal") : forAll,
      isGoalOnly,
      averageADay,
      leastADay: isOpen
        ? toPace(linesFor({ ...progress, accepted: accepted + duplicates, duplicates: 0 }, goal + duplicates))
        : null,
      isNeverEnough:
        isOpen &&
        duplicates >= minDuplicates &&
        linesFor({ ...progress, duplicates: leastDuplicates(duplicates) }, goal) === null &&
        qualify({ lines: Number.MAX_SAFE_INTEGER, variance: 0, surge: 0 }).valid.high < goal,
    },
    counties: (final ?? now).counties.map((county) =>
      shown === null && county.short > 0 ? { ...county, chance: null } : county,
    ),
  };
}

/** The lowest pace that is likely to be enough, searched upward from `from`; null if there is none. */
function leastPace(chanceAt: (aDay: number) => number, { from, most }: { from: number; most: number }): number | null {
  if (chanceAt(0) >= likely) return 0;
  let [low, high] = [0, Math.max(1, from)];
  // Goes in small steps: much faster can be less likely again, because it brings more duplicates.
  while (chanceAt(high) < likely) {
    if (high > Math.max(most, 30 * from)) return null;
    [low, high] = [high, high * 1.1];
  }
  while (high - low > 0.01 && high - low > high / 1e5) {
    const middle = (low + high) / 2;
    if (chanceAt(middle) >= likely) high = middle;
    else low = middle;
  }
  return high;
}

// The mean, the deviation by the pace, what a surge adds, and the other variances on each side of the mean.
type Spread = { mean: number; ofPace: number; surge: number; below: number; above: number };
// In one campaign of four the pace rises at the end. Most keep their pace; in others circulators come and go.
const surgeShare = 0.25;
const paces = [
  { share: 0.7, variation: 0.5 },
  { share: 0.3, variation: 1.6 },
];

const toScenarios = ({ mean, ofPace, surge, below, above }: Spread, lines: number, surgeLines: number): Scenario[] =>
  paces.flatMap(({ share, variation }) => {
    const sd = (others: number) => Math.hypot(variation * ofPace, Math.sqrt(others));
    const base = { sdBelow: sd(below), sdAbove: sd(above) };
    return [
      { ...base, share: share * (1 - surgeShare), lines, mean },
      { ...base, share: share * surgeShare, lines: lines + surgeLines, mean: mean + surge },
    ];
  });

const chanceOf = (goal: number, scenarios: Scenario[]) =>
  scenarios.reduce((sum, { share, mean, sdBelow, sdAbove }) => {
    const missing = goal - 0.5 - mean;
    return sum + share * normalAbove(missing / (missing > 0 ? sdAbove : sdBelow));
  }, 0);

const deviationAbove = (variance: number, surge: number) => Math.sqrt(variance + (0.75 * surge) ** 2);
type Counts = Pick<CampaignProgress, "entered" | "accepted" | "duplicates" | "checked">;

/** The valid signatures among so many lines, whose number is uncertain too. */
function estimateValid(
  { entered, accepted, duplicates, checked }: Counts,
  { lines, variance, surge, effect }: ProjectedLines & { effect: number },
): Spread {
  const valid = accepted + duplicates;
  const scale = bounded(lines / entered, { valid, duplicates });
  const mean = scale * valid - scale ** 2 * duplicates;
  const unknown = Math.max(0, lines - entered);
  const rate = (valid + 1) / (entered + 2);
  const perLine = Math.max(0, (valid - 2 * scale * duplicates) / entered);
  const ofRate = effect * rate * (1 - rate) * (unknown ** 2 / entered + unknown);
  const unknownPairs = 1 - 1 / scale ** 2;
  // More duplicates than expected may come even if none were found, but no fewer than none.
  const ofPairs = (pairs: number) =>
    scale ** 4 * unknownPairs * pairs + (0.25 * (scale ** 2 - scale) * duplicates) ** 2;
  const wrong = (checked.errors + 0.01 * priorLines) / (checked.lines + priorLines);
  const meanSquare = wrong ** 2 + (wrong * (1 - wrong)) / (checked.lines + priorLines + 1);
  const ofErrors = checked.lines === 0 ? 0 : (lines ** 2 * meanSquare) / 3;
  const others = (pairs: number) => ofRate + ofPairs(pairs) + ofErrors;
  return {
    mean,
    ofPace: perLine * Math.sqrt(variance),
    surge: perLine * surge,
    below: others(duplicates + 1),
    above: others(duplicates),
  };
}

// More lines never bring fewer valid signatures.
function bounded(scale: number, { valid, duplicates }: { valid: number; duplicates: number }) {
  return duplicates === 0 ? scale : Math.max(1, Math.min(scale, valid / (2 * duplicates)));
}

/** How many lines contain `goal` valid signatures; null if no number does. */
function linesFor({ entered, accepted, duplicates }: Counts, goal: number) {
  const valid = accepted + duplicates;
  if (valid === 0) return null;
  const root = valid ** 2 - 4 * duplicates * goal;
  return root < 0 ? null : (2 * goal * entered) / (valid + Math.sqrt(root));
}

// The lower exact Poisson limit at 97.5% (Wilson and Hilferty's approximation).
const leastDuplicates = (pairs: number) => pairs * Math.max(0, 1 - 1 / (9 * pairs) - z95 / (3 * Math.sqrt(pairs))) ** 3;

function designEffect({ sheetSums }: Pick<CampaignProgress, "sheetSums">) {
  const { count, lines, valid, linesSquared, linesValid, validSquared } = sheetSums;
  const rate = valid / lines;
  if (count < 10 || valid === 0 || valid === lines) return 1;
  const squares = validSquared - 2 * rate * linesValid + rate ** 2 * linesSquared;
  return Math.max(1, ((squares / lines) * (count / (count - 1))) / (rate * (1 - rate)));
}

function toEstimate({ mean, ofPace, surge, below, above }: Spread, lowest: number, highest: number) {
  const within = (value: number) => Math.min(highest, Math.max(lowest, value));
  const low = mean - z95 * Math.sqrt(ofPace ** 2 + below);
  const high = mean + z95 * deviationAbove(ofPace ** 2 + above, surge);
  return { estimate: within(mean), low: within(low), high: within(high) };
}
