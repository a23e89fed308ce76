import { paceDaysText, perDay, perDayText } from "@/components/progress/pace-text";
import { roughText } from "@/components/progress/rough-text";
import { spanText } from "@/components/progress/span-text";
import { daysBetween } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import type { CampaignProgress } from "@/lib/progress/answers";
import type { Pace } from "@/lib/progress/pace";
import type { ReckonedProgress } from "@/lib/progress/reckon-progress";
import type { Worth } from "@/lib/progress/worth-of-paper";

/** The answer to "will it qualify?": in a few words, why, and what that takes for granted. */
export type Outlook = {
  tone: "neutral" | "done" | "waiting" | "wrong";
  title: string;
  says: string;
  assumes?: string;
};

const paperAssumes =
  "Takes paper that is not keyed yet as like what is keyed, with a 95% interval. Sheets are keyed as they come in, not at random.";
const paceAssumes = "Takes the days to come as like those before, by the day on which lines were keyed.";

const bandIs = "The days in brackets are a 95% interval, told from how much the days differ.";

const noEnd = "It has no last day, so nothing says how many a day it needs.";

/** Says whether a campaign will have as many accepted signatures as its goal asks, by its last day. */
export function outlookText(known: ReckonedProgress, format: Format): Outlook {
  const { goal, accepted, endsOn, archivedAt, today } = known.progress;
  const { day, number, count } = format;
  if (archivedAt !== null) {
    const of = goal === null ? "" : ` of ${number(goal)}`;
    const says = `It was archived on ${day(archivedAt)}, with ${number(accepted)}${of} accepted.`;
    return { tone: "neutral", title: "Archived", says };
  }
  if (goal === null) {
    const says = "With a goal and a last day, this says whether the campaign will be in time.";
    return { tone: "neutral", title: "No goal is set", says };
  }
  if (accepted >= goal) {
    const than = accepted === goal ? "as many as the goal" : `${number(accepted - goal)} more than the goal`;
    const says = `${count(accepted, "signature is", "signatures are")} accepted, ${than}.`;
    return { tone: "done", title: "Yes, the goal is met", says };
  }
  return endsOn !== null && today > endsOn ? ended(known, { goal, endsOn }, format) : running(known, goal, format);
}

function ended(
  { progress, worth }: ReckonedProgress,
  { goal, endsOn }: { goal: number; endsOn: string },
  format: Format,
): Outlook {
  const missing = format.count(goal - progress.accepted, "signature is", "signatures are");
  const short = `The last day was ${format.day(endsOn)}, and ${missing} missing.`;
  const paper = unkeyedText(progress, worth, format);
  if (!worth || !paper) return { tone: "wrong", title: "No, it ended short of its goal", says: short };
  const says = `${short} ${paper}.`;
  if (worth.high < goal) return { tone: "wrong", title: "No, it ended short of its goal", says, assumes: paperAssumes };
  return worth.low >= goal
    ? { tone: "done", title: "Yes, as it looks: it is on paper", says, assumes: paperAssumes }
    : { tone: "waiting", title: "Perhaps: the rest of the paper decides", says, assumes: paperAssumes };
}

function running({ progress, pace, worth }: ReckonedProgress, goal: number, format: Format): Outlook {
  const { keyed, startsOn, endsOn, today } = progress;
  const paper = unkeyedText(progress, worth, format);
  if (worth && paper && worth.low >= goal) {
    const says = `${paper}: key the rest to be sure.`;
    return { tone: "done", title: "Yes, as it looks: it is on paper", says, assumes: paperAssumes };
  }
  const needs = neededText(pace, progress, format);
  if (keyed === 0 && startsOn !== null && today < startsOn) {
    const aDay = endsOn === null ? null : goal / (daysBetween(startsOn, endsOn) + 1);
    const title = `It starts in ${format.count(daysBetween(today, startsOn), "day")}`;
    return {
      tone: "neutral",
      title,
      says: aDay === null ? noEnd : `Then it needs ${perDayText(aDay, format, Math.ceil)} a day.`,
    };
  }
  if (keyed === 0) return { tone: "neutral", title: "Nothing is keyed yet", says: needs };
  if (pace.last28 === null) {
    const says = joined("Today is the first day with keyed lines: tomorrow there is a pace to tell it from.", needs);
    return { tone: "neutral", title: "Too early to say", says };
  }
  if (pace.met === null) {
    const nothing = `Nothing was accepted in ${paceDaysText(progress, 28)}.`;
    const why = pace.last28 === 0 ? nothing : "At this pace it would take over a hundred years.";
    return { tone: "wrong", title: "No, not at this pace", says: joined(why, needs) };
  }
  const { on, daysLate, band } = pace.met;
  const { shortDay } = format;
  const late = lateText(daysLate, format);
  const latest = band && (band.latest === null ? "at the earliest" : `to ${shortDay(band.latest)}`);
  const interval = band && !isFar(daysLate) ? ` (${shortDay(band.earliest)} ${latest})` : "";
  const met = isFar(daysLate) ? late : `on ${shortDay(on)}${late ? `, ${late}` : ""}${interval}`;
  const goalIsMet = `At the pace of ${paceDaysText(progress, 28)} the goal is met ${met}.`;
  return {
    ...answer(pace.met, endsOn),
    says: joined(...(pace.needed === null ? [goalIsMet, needs] : [needs, goalIsMet]), paper && `${paper}.`),
    assumes: joined(paceAssumes, interval && bandIs, paper && paperAssumes),
  };
}

const joined = (...sentences: (string | null)[]) => sentences.filter(Boolean).join(" ");

function answer({ band }: NonNullable<Pace["met"]>, endsOn: string | null): Pick<Outlook, "tone" | "title"> {
  if (endsOn === null) return { tone: "neutral", title: "It cannot be late: it has no last day" };
  if (!band) return { tone: "waiting", title: "Too early to be sure" };
  if (band.latest !== null && band.latest <= endsOn) return { tone: "done", title: "Yes, at this pace" };
  return band.earliest > endsOn
    ? { tone: "wrong", title: "No, not at this pace" }
    : { tone: "waiting", title: "Perhaps, at this pace" };
}

/** Whether a day is so late that it says no more than that. */
export function isFar(daysLate: number | null) {
  return daysLate !== null && daysLate > 365;
}

/** How late a day is: `8 weeks late`; null where there is no last day. */
export function lateText(daysLate: number | null, format: Format) {
  if (daysLate === null) return null;
  if (daysLate === 0) return "on the last day";
  if (isFar(daysLate)) return "over a year late";
  return daysLate > 0 ? `${spanText(daysLate, format)} late` : `${spanText(-daysLate, format)} early`;
}

function neededText({ needed, last7, last28 }: Pace, progress: CampaignProgress, format: Format) {
  if (needed === null) return noEnd;
  const needs = `It needs ${perDayText(needed, format, Math.ceil)} a day from today`;
  if (last7 === null || !last28) return `${needs}.`;
  const more = perDay(needed, Math.ceil) - perDay(last28);
  const month = paceDaysText(progress, 28);
  const gap = more > 0 ? `, ${perDayText(more, format)} more than the ${perDayText(last28, format)} of ${month}` : "";
  const lately = paceDaysText(progress, 7);
  if (lately === month) return `${needs}${gap}.`;
  return `${needs}${gap}. T${lately.slice(1)} brought ${last7 === 0 ? "none" : perDayText(last7, format)}.`;
}

// Null where all that is on paper is keyed: then it is worth what is accepted.
function unkeyedText({ keyed, onPaper }: CampaignProgress, worth: Worth | null, format: Format) {
  if (!worth || onPaper <= keyed) return null;
  const { value, interval } = roughText({ ...worth, value: worth.estimate }, format);
  return `What is on paper is worth about ${value}${interval ? ` (${interval})` : ""} valid signatures`;
}
