import type { EntryContext } from "@/lib/signatures/entry/entry-form";

export const earliestDay = "2000-01-01"; // catches two-digit years, which date fields read as years 0–99

/** The value of a date that is half typed or doesn't exist; browsers report it as empty. */
export const halfTypedDay = "?";

/** What is wrong with a day, as a sentence without its period; null if it is right or empty. */
export function dayIssue(day: string, label: string, { today, format }: Pick<EntryContext, "today" | "format">) {
  const isReal = day !== halfTypedDay && day.length <= earliestDay.length; // longer from the year 10000 on
  if (!isReal) return `Check the ${label}: enter a real date with month, day, and year`;
  if (day === "" || (day <= today && day >= earliestDay)) return null;
  return `Check the ${label}: ${format.day(day)} is ${day > today ? "in the future" : "too long ago"}`;
}

/** That a day is before the campaign's first day, as words that follow its label; undefined if not. */
export function beforeCampaignText(day: string, { startsOn, format }: Pick<EntryContext, "startsOn" | "format">) {
  if (day === "" || !startsOn || day >= startsOn) return undefined;
  return `is before the campaign's first day, ${format.day(startsOn)}`;
}

/** Why the day of a signature is wrong, as a sentence; null if it is right or empty. */
export function dayProblem(signedOn: string, context: Pick<EntryContext, "today" | "format">): string | null {
  const issue = dayIssue(signedOn, "date signed", context);
  return issue && `${issue}.`;
}

/** Why no line of that day can be accepted, with what to do; null if it can, or if the day is empty. */
export function outsideDates(signedOn: string, context: Pick<EntryContext, "startsOn" | "endsOn" | "format">) {
  const { endsOn, format } = context;
  const after = endsOn && signedOn > endsOn && `is after the campaign's last day, ${format.day(endsOn)}`;
  const issue = beforeCampaignText(signedOn, context) ?? after;
  return issue
    ? `${format.day(signedOn)} ${issue}. Correct the date signed, or enter the line as outside dates.`
    : null;
}

/** That a day is after the sheet was collected, as a sentence; null if not. */
export function afterCollected(signedOn: string, context: Pick<EntryContext, "collectedOn" | "format">): string | null {
  const { collectedOn, format } = context;
  if (collectedOn === null || signedOn <= collectedOn) return null;
  return `${format.day(signedOn)} is after the sheet was collected, on ${format.day(collectedOn)}.`;
}

/** What is wrong or odd about the date signed when it loses the focus; null if nothing is. */
export const dayNotice = (signedOn: string, context: EntryContext): string | null =>
  dayProblem(signedOn, context) ?? outsideDates(signedOn, context) ?? afterCollected(signedOn, context);

/** The date signed for the next line: empty if anything is wrong or odd about it. */
export const carriedDay = (signedOn: string, context: EntryContext): string =>
  dayNotice(signedOn, context) === null ? signedOn : "";
