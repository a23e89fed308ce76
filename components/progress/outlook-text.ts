import { estimateText, paceDaysText, perDay, perDayText, spanText } from "@/components/progress/number-text";
import { daysBetween } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import type { AssessedProgress, Pace } from "@/lib/progress/pace";

/** The answer to "Will it qualify?": a title, the reasons, and what they assume. */
export type Outlook = {
  tone: "neutral" | "done" | "waiting" | "wrong";
  title: string;
  says: string;
  assumes?: string;
};

/** The color of a mark next to an outlook. */
export const toneClass: Record<Outlook["tone"], string> = {
  neutral: "bg-muted-foreground",
  done: "bg-success-mark",
  waiting: "bg-warning-mark",
  wrong: "bg-destructive",
};

const sheetsAssumption =
  "The estimate has a 95% interval. It assumes sheets not entered yet resemble those entered, which aren't a random sample.";
const paceAssumption = "Assumes coming days resemble past ones, by date of entry.";
const bandNote = "Dates in parentheses are a 95% interval, based on how much the days vary.";
const noEndDate = "Without an end date, there's no daily number to reach.";

/** Says whether a campaign is on track to reach its goal by its last day. */
export function outlookText(known: AssessedProgress, format: Format): Outlook {
  const { goal, accepted, endsOn, archivedAt, today } = known.progress;
  const { day, number, count } = format;
  if (archivedAt !== null) {
    const signatures =
      goal === null ? count(accepted, "valid signature") : `${number(accepted)} of ${number(goal)} valid signatures`;
    return { tone: "neutral", title: "Archived", says: `Archived on ${day(archivedAt)} with ${signatures}.` };
  }
  if (goal === null) {
    const says = "Once it has a goal and an end date, you'll see here whether it's on track.";
    return { tone: "neutral", title: "No goal set", says };
  }
  if (accepted >= goal) {
    const comparison = accepted === goal ? "exactly the goal" : `${number(accepted - goal)} more than the goal`;
    return { tone: "done", title: "Goal reached", says: `${count(accepted, "valid signature")}, ${comparison}.` };
  }
  return endsOn !== null && today > endsOn ? ended(known, { goal, endsOn }, format) : running(known, goal, format);
}

function ended(known: AssessedProgress, { goal, endsOn }: { goal: number; endsOn: string }, format: Format): Outlook {
  const short = `It ended on ${format.day(endsOn)}, ${format.count(goal - known.progress.accepted, "signature")} short of its goal.`;
  const sheets = sheetsText(known, format);
  if (!known.estimate || !sheets) return { tone: "wrong", title: "Ended short of its goal", says: short };
  const { low, high } = known.estimate;
  const reasons = { says: `${short} ${sheets}`, assumes: sheetsAssumption };
  if (high < goal) return { tone: "wrong", title: "Ended short of its goal", ...reasons };
  return low >= goal
    ? { tone: "done", title: "On track: enough signatures collected", ...reasons }
    : { tone: "waiting", title: "Uncertain until all sheets are entered", ...reasons };
}

function running(known: AssessedProgress, goal: number, format: Format): Outlook {
  const { progress, pace, estimate } = known;
  const { entered, startsOn, endsOn, today } = progress;
  const sheets = sheetsText(known, format);
  if (estimate && sheets && estimate.low >= goal) {
    const says = `${sheets} Enter the rest to confirm.`;
    return { tone: "done", title: "On track: enough signatures collected", says, assumes: sheetsAssumption };
  }
  if (entered === 0 && startsOn !== null && today < startsOn) {
    const aDay = endsOn === null ? null : goal / (daysBetween(startsOn, endsOn) + 1);
    return {
      tone: "neutral",
      title: `Starts in ${format.count(daysBetween(today, startsOn), "day")}`,
      says: aDay === null ? noEndDate : `It will need ${perDayText(aDay, format, Math.ceil)} a day.`,
    };
  }
  const needs = neededText(known, format);
  if (entered === 0) return { tone: "neutral", title: "No signatures entered yet", says: needs };
  if (pace.last28 === null) {
    const says = joined("Today is the first day with entries. You'll see a pace tomorrow.", needs);
    return { tone: "neutral", title: "Too early to tell", says };
  }
  if (pace.met === null) {
    const nothing = `No valid signatures in the ${paceDaysText(progress, 28)}.`;
    const why = pace.last28 === 0 ? nothing : "At this pace it would take over 100 years.";
    return { tone: "wrong", title: "Behind", says: joined(why, needs) };
  }
  const { daysLate, band } = pace.met;
  const goalIsMet = `At the pace of the ${paceDaysText(progress, 28)}, it reaches its goal ${metText(pace.met, format)}.`;
  return {
    ...verdict(pace.met, endsOn),
    says: joined(...(pace.needed === null ? [goalIsMet, needs] : [needs, goalIsMet]), sheets),
    assumes: joined(paceAssumption, band && !isFar(daysLate) && bandNote, sheets && sheetsAssumption),
  };
}

const joined = (...sentences: (string | null | false)[]) => sentences.filter(Boolean).join(" ");

function metText({ on, daysLate, band }: NonNullable<Pace["met"]>, format: Format) {
  const late = lateText(daysLate, format);
  if (isFar(daysLate)) return late;
  const { shortDay } = format;
  const interval =
    band &&
    (band.latest === null
      ? ` (${shortDay(band.earliest)} at the earliest)`
      : ` (${shortDay(band.earliest)} – ${shortDay(band.latest)})`);
  return `on ${shortDay(on)}${late ? `, ${late}` : ""}${interval ?? ""}`;
}

function verdict({ band }: NonNullable<Pace["met"]>, endsOn: string | null): Pick<Outlook, "tone" | "title"> {
  if (endsOn === null) return { tone: "neutral", title: "No end date set" };
  if (!band) return { tone: "waiting", title: "Too early to tell" };
  if (band.latest !== null && band.latest <= endsOn) return { tone: "done", title: "On track" };
  return band.earliest > endsOn ? { tone: "wrong", title: "Behind" } : { tone: "waiting", title: "At risk" };
}

/** Whether a day is so late that its date no longer matters. */
export function isFar(daysLate: number | null) {
  return daysLate !== null && daysLate > 365;
}

/** How late a day is: `8 weeks late`; null without a last day. */
export function lateText(daysLate: number | null, format: Format) {
  if (daysLate === null) return null;
  if (daysLate === 0) return "on its last day";
  if (isFar(daysLate)) return "over a year late";
  return daysLate > 0 ? `${spanText(daysLate, format)} late` : `${spanText(-daysLate, format)} early`;
}

function neededText({ progress, pace: { needed, last7, last28 } }: AssessedProgress, format: Format) {
  if (needed === null) return noEndDate;
  const needs = `It needs ${perDayText(needed, format, Math.ceil)} a day from today`;
  if (last7 === null || !last28) return `${needs}.`;
  const [week, month] = [paceDaysText(progress, 7), paceDaysText(progress, 28)];
  const more = perDay(needed, Math.ceil) - perDay(last28);
  const gap =
    more > 0 ? `, ${perDayText(more, format)} more than the ${perDayText(last28, format)} a day of the ${month}` : "";
  return week === month ? `${needs}${gap}.` : `${needs}${gap}. The ${week} averaged ${perDayText(last7, format)}.`;
}

// Null when all sheets are entered: then the valid lines are the result.
function sheetsText({ progress, estimate }: AssessedProgress, format: Format) {
  if (!estimate || progress.collected <= progress.entered) return null;
  const { estimate: value, interval } = estimateText(estimate, format);
  return `Estimated valid signatures on all sheets: ${value}${interval ? ` (${interval})` : ""}.`;
}
