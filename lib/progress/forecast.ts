import { daysBetween } from "@/lib/format/days";
import type { CampaignProgress } from "@/lib/progress/answers";
import { type CountyOutlook, countyOutlooks } from "@/lib/progress/county-outlook";
import { normalAbove } from "@/lib/progress/normal";
import { collectionPace, type Pace, paceOf } from "@/lib/progress/pace";
import { z95 } from "@/lib/progress/wilson-interval";

/** Valid signatures, whole, with a 95 % interval. */
export type ValidEstimate = { estimate: number; low: number; high: number };

export type Forecast = {
  /** On all collected sheets. */
  onHand: ValidEstimate;
  /** When all that is collected through the last day is entered; null without a last day. */
  final: ValidEstimate | null;
  /** Lines collected per day that it assumes, and that the goal needs from tomorrow; null if unknown or never enough. */
  aDay: number | null;
  neededADay: number | null;
  /** From 0 to 1, that the goal is reached; null without a goal, without lines, and if it is too early. */
  chance: number | null;
  /** Times that the validity rate varies between sheets more than by chance. */
  designEffect: number;
};

/** What to assume of the sheets to come in place of what was measured: lines a day from tomorrow, and the share that is valid. */
export type Plan = { aDay?: number | undefined; validity?: number | undefined };

/** A campaign's counts, and what follows from them. */
export type AssessedProgress = {
  progress: CampaignProgress;
  pace: Pace;
  forecast: Forecast | null;
  counties: CountyOutlook[];
};

/** To qualify, the goal and the targets of all counties must be reached: it is as likely as the least likely of these. */
export function assessProgress(progress: CampaignProgress, plan?: Plan): AssessedProgress {
  const found = forecast(progress, plan);
  const counties = countyOutlooks(progress, found);
  const chances = [found?.chance ?? null, ...counties.map((one) => one.chance)];
  const chance = chances.reduce((least, one) => (least === null || one === null ? null : Math.min(least, one)));
  return { progress, pace: paceOf(progress), forecast: found && { ...found, chance }, counties };
}

const minDays = 7;

/**
 * Forecasts the valid signatures of distinct voters. Among A times the entered lines, with a accepted and d duplicates, there
 * are A·a − A·(A − 1)·d, because duplicates grow with the square (Goodman, Annals of Mathematical Statistics 20, 1949).
 *
 * Its variance has three parts. The validity rate is a ratio over sheets (Cochran, Sampling Techniques, 1977, chapter 6).
 * Duplicates are Poisson; if they cluster they grow more slowly, which adds part of the difference to a linear growth. The
 * lines to come vary as the weeks so far, and their pace drifts.
 *
 * Entry errors add a fourth part where the quality check has measured them: each wrong entry can count one valid signature too
 * many or too few. Nothing is assumed about which prevails: the net share is uniform between plus and minus the error rate.
 */
export function forecast(progress: CampaignProgress, plan: Plan = {}): Forecast | null {
  const { collected, entered, accepted, goal, endsOn, today, checked } = progress;
  if (entered === 0) return null;
  const pace = collectionPace(progress, plan.aDay);
  const effect = designEffect(progress);
  const onHand = validOf(progress, { lines: collected, variance: 0, above: 0, effect });
  const hasErrors = checked.errors > 0;
  const over = endsOn !== null && today > endsOn;
  // A line of twice the validity counts as two.
  const worth = plan.validity === undefined || accepted === 0 ? 1 : (plan.validity * entered) / accepted;
  const ahead = endsOn === null ? null : pace.through(endsOn, worth);
  const final = ahead && validOf(progress, { ...ahead, lines: collected + ahead.lines, effect });
  const chanceOf = ({ mean, below, above }: Spread) =>
    goal === null ? null : normalAbove((goal - 0.5 - mean) / (goal - 0.5 > mean ? above : below));
  const chance = goal !== null && accepted >= goal ? 1 : chanceOf(final ?? onHand);
  // Early, only what no luck would change is said.
  const known = over || pace.days >= minDays || (chance ?? 0) < 0.05 || (chanceOf(onHand) ?? 0) > 0.9;
  const total = goal === null ? null : linesFor(progress, goal);
  const remainingDays = endsOn === null ? 0 : daysBetween(today, endsOn);
  return {
    onHand: whole(onHand, hasErrors ? 0 : accepted, hasErrors ? collected : accepted + collected - entered),
    final: final && whole(final, hasErrors ? 0 : accepted, Number.POSITIVE_INFINITY),
    aDay: pace.aDay,
    neededADay: total === null || remainingDays <= 0 ? null : Math.max(0, total - collected) / (worth * remainingDays),
    chance: known && (endsOn !== null || (chance ?? 0) > 0.9) ? chance : null,
    designEffect: effect,
  };
}

// A normal distribution with another deviation on each side.
type Spread = { mean: number; below: number; above: number };
type Counts = Pick<CampaignProgress, "entered" | "accepted" | "duplicates" | "checked">;

/** The valid signatures among so many lines, whose number is uncertain too. */
function validOf(
  { entered, accepted, duplicates, checked }: Counts,
  { lines, variance, above, effect }: { lines: number; variance: number; above: number; effect: number },
): Spread {
  const valid = accepted + duplicates;
  const scale = bounded(lines / entered, { valid, duplicates });
  const mean = scale * valid - scale ** 2 * duplicates;
  const unknown = Math.max(0, lines - entered);
  const rate = (valid + 1) / (entered + 2);
  const perLine = Math.max(0, (valid - 2 * scale * duplicates) / entered);
  const ofRate = effect * rate * (1 - rate) * (unknown ** 2 / entered + unknown);
  const unknownPairs = 1 - 1 / scale ** 2;
  const ofPairs = scale ** 4 * unknownPairs * (duplicates + 1) + (0.25 * (scale ** 2 - scale) * duplicates) ** 2;
  const wrong = checked.lines === 0 ? 0 : checked.errors / checked.lines;
  const ofErrors = (lines ** 2 * (wrong ** 2 + (wrong * (1 - wrong)) / Math.max(1, checked.lines))) / 3;
  const sd = (ofLines: number) => Math.sqrt(perLine ** 2 * ofLines + ofRate + ofPairs + ofErrors);
  return { mean, below: sd(variance), above: sd(above) };
}

// More lines never bring fewer valid signatures.
function bounded(scale: number, { valid, duplicates }: { valid: number; duplicates: number }) {
  return duplicates === 0 ? scale : Math.max(1, Math.min(scale, valid / (2 * duplicates)));
}

/** How many lines hold `goal` valid signatures; null if no number does. */
function linesFor({ entered, accepted, duplicates }: Counts, goal: number) {
  const valid = accepted + duplicates;
  if (valid === 0) return null;
  const root = valid ** 2 - 4 * duplicates * goal;
  return root < 0 ? null : (2 * goal * entered) / (valid + Math.sqrt(root));
}

function designEffect({ sheetSums }: Pick<CampaignProgress, "sheetSums">) {
  const { count, lines, valid, linesSquared, linesValid, validSquared } = sheetSums;
  const rate = valid / lines;
  if (count < 10 || valid === 0 || valid === lines) return 1;
  const squares = validSquared - 2 * rate * linesValid + rate ** 2 * linesSquared;
  return Math.max(1, ((squares / lines) * (count / (count - 1))) / (rate * (1 - rate)));
}

function whole({ mean, below, above }: Spread, lowest: number, highest: number): ValidEstimate {
  const within = (value: number) => Math.round(Math.min(highest, Math.max(lowest, value)));
  const [low, high] = [mean - z95 * below, mean + z95 * above];
  return { estimate: within(mean), low: within(low), high: within(high) };
}
