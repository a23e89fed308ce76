import { estimateText, perDayText, spanText } from "@/components/progress/number-text";
import { validAim, validNeeded } from "@/lib/campaigns/valid-needed";
import { dayAfter, daysBetween } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import type { CountyOutlook } from "@/lib/progress/county-outlook";
import { type AssessedProgress, type Forecast, isVague, likely, unlikely } from "@/lib/progress/forecast";
import { chanceToday, chanceToQualify } from "@/lib/progress/official-check";
import type { TeamProgress } from "@/lib/progress/read-progress";
import type { CampaignProgress, OfficialRule } from "@/lib/progress/responses";

/** The answer to "Will it qualify?": the same title everywhere, and the reasons. */
export type Outlook = {
  tone: "neutral" | "success" | "warning" | "danger";
  title: string;
  /** Sentences, a thought each. */
  texts: string[];
};

/** The color of a mark next to an outlook. */
export const toneClass: Record<Outlook["tone"], string> = {
  neutral: "bg-muted-foreground",
  success: "bg-success-mark",
  warning: "bg-warning-mark",
  danger: "bg-destructive",
};

/** The word for each outlook, in titles and totals. */
export const toneWord = { neutral: "Too early to tell", success: "On track", warning: "At risk", danger: "Behind" };

const endedShort = "Ended short of its goal";
/** Titles of campaigns whose settings lack what a forecast needs. */
export const [noGoal, noLastDay] = ["No goal set", "No last day set"];

const isGoalReached = ({ progress, counties }: AssessedProgress) =>
  progress.accepted >= (validAim(progress) ?? Number.POSITIVE_INFINITY) && counties.every(({ short }) => short === 0);

/** Whether the goal and the targets of all counties are reached, and no official check follows. */
export const isReached = (known: AssessedProgress): boolean => known.progress.official === null && isGoalReached(known);

/** The heading of an outlook, which its title answers. */
export function outlookQuestion(known: AssessedProgress, title: string): string {
  const { archivedAt, goal, endsOn, entered } = known.progress;
  if (archivedAt !== null || title === endedShort) return "Result";
  const isKnown = isReached(known) || (goal !== null && endsOn !== null && entered > 0);
  return isKnown ? "Will it qualify?" : "Forecast";
}

/** Whether its first day is ahead and nothing is entered. */
export const isNotStarted = ({ startsOn, today, entered }: CampaignProgress): boolean =>
  startsOn !== null && today < startsOn && entered === 0;

/** Says how likely a campaign is to qualify: to pass the official check, or without one to reach its goal by its last day. */
export function outlookText(known: AssessedProgress, format: Format): Outlook {
  const { goal, accepted, entered, startsOn, endsOn, archivedAt, today } = known.progress;
  const { day, number, count } = format;
  if (archivedAt !== null) {
    const result =
      goal === null ? "" : accepted < goal ? `, ${number(goal - accepted)} short of its goal` : ", goal reached";
    const texts = [`Archived on ${day(archivedAt)} with ${count(accepted, "valid signature")}.`];
    return { tone: "neutral", title: `Archived${result}`, texts };
  }
  if (goal === null) return { tone: "neutral", title: noGoal, texts: [] };
  if (isReached(known)) {
    const comparison = accepted === goal ? "exactly the goal" : `${number(accepted - goal)} more than the goal`;
    return { tone: "success", title: "Goal reached", texts: [`${count(accepted, "valid signature")}, ${comparison}.`] };
  }
  const over = endsOn !== null && today > endsOn;
  if (entered === 0 && !over) {
    const remainingDays =
      endsOn === null ? null : daysBetween([startsOn ?? today, today].sort()[1] ?? today, endsOn) + 1;
    const texts =
      remainingDays === null
        ? []
        : [
            `You need ${perDayText((validAim(known.progress) ?? goal) / remainingDays, format, Math.ceil)} valid signatures ${today === endsOn ? "today" : "a day"}.`,
          ];
    const title =
      startsOn !== null && isNotStarted(known.progress)
        ? `Starts in ${count(daysBetween(today, startsOn), "day")}`
        : "No signatures entered yet";
    return { tone: "neutral", title, texts };
  }
  const chance = over && entered === 0 ? 0 : chanceToQualify(known);
  const texts = [
    over && `It ended on ${day(endsOn)}.`,
    qualifyingText(known),
    finalText(known, format),
    goalText(known, format),
    ...neededTexts(known, format),
  ];
  return { ...verdict(chance, known, format), texts: texts.filter((text) => typeof text === "string") };
}

function verdict(chance: number | null, known: AssessedProgress, format: Format): Omit<Outlook, "texts"> {
  const { endsOn, today, official, entered } = known.progress;
  if (chance === null) return { tone: "neutral", title: endsOn === null ? noLastDay : "Too early to tell" };
  const tone = chanceTone(chance);
  const isTooShort = tone === "danger" && endsOn !== null && today > endsOn;
  if (isTooShort && (official === null || entered === 0)) return { tone, title: endedShort };
  const word = isTooShort ? "Ended short" : toneWord[tone];
  return { tone, title: `${word}: ${chanceText(chance, format)} likely to qualify` };
}

/** The tone of a chance from 0 to 1. */
export const chanceTone = (chance: number) => (chance >= likely ? "success" : chance < unlikely ? "danger" : "warning");

// What qualifying takes where the official check decides.
function qualifyingText({ progress: { official }, counties }: AssessedProgress) {
  const targets = counties.some(({ short }) => short > 0) ? " and reach every county target" : "";
  return official === null ? null : `To qualify, the petition must pass the official check${targets}.`;
}

// What the pace has to reach.
function aimText({ goal, official }: CampaignProgress, { number }: Format) {
  const aim = validAim({ goal, official });
  return aim === goal ? "the goal" : `${number(aim ?? 0)} valid signatures`;
}

// The chance of the goal where the official check decides.
function goalText(known: AssessedProgress, format: Format) {
  const { progress, forecast, counties } = known;
  const { official, goal, accepted } = progress;
  const aim = validAim(progress);
  if (official === null || aim === null || forecast?.chance == null || isGoalReached(known)) return null;
  const aims = [
    accepted < aim && `${aimText(progress, format)}${aim === goal ? ` of ${format.number(aim)}` : ""}`,
    counties.length > 0 && "every county target",
  ].filter(Boolean);
  return `The petition is ${chanceText(forecast.chance, format)} likely to reach ${aims.join(" and ")}.`;
}

/** Whether a county is less than likely to reach its target. */
export const isAtRisk = <County extends { chance: number | null }>(
  county: County,
): county is County & { chance: number } => county.chance !== null && county.chance < likely;

/** Counties in the order of their trouble. */
export const worstFirst = (counties: CountyOutlook[]) =>
  counties.toSorted((a, b) => (a.chance ?? 0) - (b.chance ?? 0) || b.short - a.short);

const maxNamed = 3;

/** The first of several names, and how many more there are: `King, Pierce, Clark, and 2 more`. */
export const namesText = (names: string[]) =>
  names.slice(0, maxNamed).join(", ") + (names.length > maxNamed ? `, and ${names.length - maxNamed} more` : "");

/** How far county targets are: `1 of 2 reached, 300 valid signatures short.`; null without targets. */
export function countyShortfallText({ counties }: AssessedProgress, { number, count }: Format): string | null {
  if (counties.length === 0) return null;
  const reached = counties.filter(({ short }) => short === 0).length;
  const missing = counties.reduce((sum, { short }) => sum + short, 0);
  return `${number(reached)} of ${number(counties.length)} reached${missing > 0 ? `, ${count(missing, "valid signature")} short` : ""}.`;
}

/** A chance in whole percent: `72%`, `over 99%`. One below a threshold of the tones isn't rounded up to it. */
export function chanceText(chance: number, { percent }: Pick<Format, "percent">) {
  if (chance > 0.99) return `over ${percent(0.99)}`;
  const rounded = Math.round(chance * 100) / 100;
  const isRaised = [likely, unlikely].some((threshold) => chance < threshold && rounded >= threshold);
  return chance < 0.01 ? `under ${percent(0.01)}` : percent(isRaised ? rounded - 0.01 : rounded);
}

function finalText({ progress, forecast }: AssessedProgress, format: Format) {
  const { goal, official, accepted, endsOn, collected, entered, today } = progress;
  const expected = forecast?.final ?? forecast?.onHand;
  if (!expected || goal === null) return null;
  const required = official ? `Required: ${format.number(official.required)}. ` : "";
  const target = `${required}Goal: ${format.number(goal)}${accepted < goal ? "" : ", reached"}.`;
  if (isVague(expected)) return target;
  const { estimate, interval } = estimateText(expected, format);
  const about = interval === null ? estimate : `About ${estimate} (${interval})`;
  const until =
    endsOn === null || today > endsOn
      ? collected > entered
        ? "on all sheets"
        : "entered"
      : `expected by ${format.shortDay(endsOn)}`;
  return `${about} valid signatures ${until}. ${target}`;
}

// The pace, and the one that is needed.
function neededTexts(known: AssessedProgress, format: Format) {
  const { progress, forecast, counties } = known;
  const { endsOn, today, official } = progress;
  if (!forecast || endsOn === null || today >= endsOn) return [];
  const { neededADay, isGoalOnly, averageADay, leastADay, isNeverEnough } = forecast;
  const perDay = (lines: number) => perDayText(lines, format, Math.ceil);
  const aim = aimText(progress, format);
  const isCountyShort = counties.some(({ short }) => short > 0);
  const pace = paceText(progress, forecast, aim, format);
  if (isGoalReached(known)) return [pace];
  if (isNeverEnough) return [pace, `At this rate of duplicates, more sheets won't reach ${aim}.`];
  if (averageADay === null) return [pace, unsureText(progress, leastADay ?? 0, format)];
  if (neededADay === 0 && isGoalOnly)
    return [`You've collected enough for ${aim}, but no pace makes every county target 90% likely.`];
  if (neededADay === 0)
    return [
      `You've collected enough${official === null ? "" : ` for ${aim}`} if the rest are as valid as those entered.`,
    ];
  const all = isGoalOnly
    ? `${aim} (no pace makes every county target that likely)`
    : `${aim}${isCountyShort ? " and every county target" : ""}`;
  const needs =
    neededADay === null
      ? `Enter more sheets to see which pace makes it 90% likely to reach ${all}.`
      : `${forecast.chance === null ? "First estimate: to" : "To"} be 90% likely to reach ${all}, collect ${perDay(neededADay)} a day starting tomorrow.`;
  // The average is that of the goal alone.
  const least = `The bare minimum, with no late rush, is ${perDay(averageADay)} a day.`;
  return [pace, averageADay > 0 && !isCountyShort ? `${needs} ${least}` : needs];
}

/** A pace says nothing about more days. */
export const maxDaysAhead = 730;

// The pace, and when the goal would be reached with it; null before one is known.
function paceText(
  { endsOn, today }: CampaignProgress,
  { aDay, span, averageADay }: Forecast,
  aim: string,
  format: Format,
) {
  if (aDay === null) return null;
  const pace = perDayText(aDay, format);
  const basis = span
    ? `You collected ${pace}${span.days === 1 ? "" : " a day"} ${spanText(span, today, format)}`
    : `Assumes ${pace} a day`;
  const days =
    endsOn && averageADay && aDay > 0 ? Math.ceil((averageADay * daysBetween(today, endsOn)) / aDay) : maxDaysAhead;
  if (days >= maxDaysAhead) return `${basis}.`;
  const reachedOn = dayAfter(today, days);
  const late = endsOn !== null && reachedOn > endsOn ? ", after the last day" : "";
  return `${basis}. At that pace, you'd reach ${aim} around ${format.shortDay(reachedOn)}${late}.`;
}

// Why no pace reaches the goal on average, though luck could.
function unsureText({ entered, accepted, duplicates }: CampaignProgress, leastADay: number, format: Format) {
  const { number, count } = format;
  return accepted + duplicates === 0
    ? "No valid signatures are entered yet, so the pace you need is unknown."
    : `It's too early to set a daily target: ${number(duplicates)} of your first ${count(entered, "line")} ${duplicates === 1 ? "is a duplicate" : "are duplicates"}. With no more duplicates, you'd need ${perDayText(leastADay, format, Math.ceil)} a day. Enter more sheets for a better estimate.`;
}

/**
 * The outlook for the sheets on hand: `If you turn in the sheets today: 480 valid signatures, 12% likely to qualify.` Null if
 * nothing more comes or is needed, or if qualifying is practically impossible.
 */
export function turnedInText(known: AssessedProgress, format: Format): string | null {
  const { progress, forecast } = known;
  const { archivedAt, endsOn, today } = progress;
  const isOver = archivedAt !== null || (endsOn !== null && today > endsOn);
  const chance = chanceToday(known);
  if (isOver || isReached(known) || !forecast || chance === null || chance < 0.01) return null;
  const { estimate, interval } = estimateText(forecast.onHand, format);
  const valid = `${interval ? `about ${estimate} (${interval})` : estimate} valid signatures`;
  return `If you turn in the sheets today: ${valid}, ${chanceText(chance, format)} likely to qualify.`;
}

/** How many signatures the official check needs: `You need 5,790 valid signatures with a 10% margin …`. */
export function needText(rule: OfficialRule, { percent, count }: Format): string {
  const added = [
    rule.margin > 0 && `a ${percent(rule.margin / 100)} margin`,
    rule.rejection > 0 && `${percent(rule.rejection / 100)} expected rejections`,
  ].filter(Boolean);
  const needed = `You need ${count(validNeeded(rule), "valid signature")}`;
  return added.length === 0 ? `${needed}.` : `${needed} with ${added.join(" and ")}.`;
}

/** That the goal is less than what the official check needs; null if it is enough, and once archived. */
export function goalTooLowText({ goal, official, archivedAt }: CampaignProgress, format: Format): string | null {
  if (archivedAt !== null || goal === null || official === null || goal >= validNeeded(official)) return null;
  return `The goal of ${format.number(goal)} is too low. ${needText(official, format)}`;
}

/** That so many valid lines may not count: the numbers and chances include them. */
export const outsideDatesText = (lines: number, { number }: Format): string =>
  `The valid signatures include ${number(lines)} signed outside the campaign's dates, which the office may reject.`;

/** What needs attention in the lines and sheets of a campaign. */
export function needsOfLines(
  { sheetsOpenForDays, outsideDates }: Omit<TeamProgress, "progress">,
  format: Format,
): string[] {
  const needs = [
    [sheetsOpenForDays, "sheet open for 2 days or more", "sheets open for 2 days or more"],
    [outsideDates, "line signed outside the campaign's dates", "lines signed outside the campaign's dates"],
  ] as const;
  return needs.flatMap(([count, singular, plural]) => (count === 0 ? [] : [format.count(count, singular, plural)]));
}
