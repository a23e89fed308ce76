import { equalIgnoringCase } from "@/lib/format/text";
import { typedName } from "@/lib/signatures/entry/entered-line";
import { type EntryContext, type EntryForm, hasNames, type PaperPlace } from "@/lib/signatures/entry/entry-form";
import { nextEmptyLine } from "@/lib/signatures/entry/shown-lines";
import type { SignedAt } from "@/lib/signatures/line";
import { alreadyEnteredText } from "@/lib/signatures/line-text";
import { type Rejection, verdictWords } from "@/lib/signatures/verdicts";
import type { Voter } from "@/lib/voters/read-hit";
import type { SearchFields } from "@/lib/voters/voter-query";
import { firstNames, isOutside, listName } from "@/lib/voters/voter-text";

/** What Enter does now, which the screen shows. */
export type Offer =
  | { does: "accept"; voter: Voter; index: number }
  | { does: "duplicate"; voter: Voter; index: number; at: SignedAt | null }
  /** Marks a voter; another Enter does what is offered then. */
  | { does: "mark"; voter: Voter; index: number }
  /** Saves the line as typed, to be looked up later. */
  | { does: "save-typed" }
  /** Goes to an empty line. */
  | { does: "go"; line: number }
  /** Reviews the sheet and closes it. */
  | { does: "close" }
  | { does: "wait"; for: "voters" }
  | { does: "wait"; for: "marks"; voter: Voter }
  /** Nothing: no voter matches exactly. */
  | { does: "no-match" }
  | { does: "nothing"; reason: string };

const earliestDay = "2000-01-01"; // as the server

/** For a date of which only a part is typed, which browsers report as empty. */
export const halfTypedDay = "?";

const nothing = (reason: string): Offer => ({ does: "nothing", reason });

/** All voters of the list, in its order. */
export const listed = ({ voters, similar }: Pick<EntryContext, "voters" | "similar">): Voter[] => [
  ...voters,
  ...similar,
];

/**
 * Which voter of the list is marked: by hand, as the one of the line that is corrected, as the only match, or as the only one
 * with exactly this name and house number.
 * A near match is only ever marked by hand, and never changes who else is marked.
 */
export function markedIndex(
  { marked, fields }: Pick<EntryForm, "marked" | "fields">,
  context: Pick<EntryContext, "voters" | "similar" | "total">,
): number | null {
  const byHand = marked === null ? -1 : listed(context).indexOf(marked);
  if (byHand >= 0) return byHand;
  const { voters, total } = context;
  const byId = fields.voterId === "" ? -1 : voters.findIndex(({ voterId }) => voterId === fields.voterId);
  if (byId >= 0) return byId;
  if (total === 1 && voters.length === 1) return 0;
  if (total > voters.length || ![fields.lastName, fields.firstName, fields.houseNumber].every((text) => text.trim()))
    return null;
  const exact = voters.flatMap((voter, index) =>
    equalIgnoringCase(voter.lastName ?? "", fields.lastName.trim()) &&
    hasFirstName(voter, fields.firstName) &&
    equalIgnoringCase(voter.houseNumber ?? "", fields.houseNumber.trim())
      ? [index]
      : [],
  );
  return exact.length === 1 ? (exact[0] ?? null) : null;
}

/** Whether a voter's first name, with or without the middle name, is written so. */
const hasFirstName = (voter: Voter, typed: string): boolean =>
  typed.trim() !== "" &&
  [voter.firstName ?? "", firstNames(voter)].some((name) => equalIgnoringCase(name, typed.trim()));

/** Whether a voter's name is written exactly as typed, and the house number if one is typed. */
export function isExactVoter(voter: Voter, { lastName, firstName, houseNumber }: SearchFields): boolean {
  const isSame = (text: string, of = "") => equalIgnoringCase(of, text.trim());
  return (
    lastName.trim() !== "" &&
    isSame(lastName, voter.lastName) &&
    hasFirstName(voter, firstName) &&
    (houseNumber.trim() === "" || isSame(houseNumber, voter.houseNumber))
  );
}

/** What is wrong with the day of a signature, as words that follow its label; null if it is right or empty. */
export function dayIssue(day: string, today: string): string | null {
  if (day === halfTypedDay) return "needs a month, day, and year";
  if (day.length > earliestDay.length) return "is not a valid date"; // a year above 9999
  if (day === "" || (day <= today && day >= earliestDay)) return null;
  return day > today ? "is in the future" : "is too long ago";
}

/** Whether a day is before the campaign's first day, as words that follow its label; undefined if not. */
export function beforeCampaign(
  day: string,
  { startsOn, format }: Pick<EntryContext, "startsOn" | "format">,
): string | undefined {
  return day !== "" && startsOn && day < startsOn
    ? `is before the campaign's first day, ${format.day(startsOn)}`
    : undefined;
}

/** Why the day of a signature is wrong, as a sentence; null if it is right or empty. */
export function dayProblem(signedOn: string, { today, format }: Pick<EntryContext, "today" | "format">): string | null {
  const issue = dayIssue(signedOn, today);
  return issue && `Check the date signed: ${signedOn === halfTypedDay ? "it" : format.day(signedOn)} ${issue}.`;
}

/** Why no line of that day can be accepted, with what to do; null if it can, or if the day is empty. */
export function outsideDates(
  signedOn: string,
  context: Pick<EntryContext, "startsOn" | "endsOn" | "format">,
): string | null {
  const { endsOn, format } = context;
  const after = endsOn && signedOn > endsOn && `is after the campaign's last day, ${format.day(endsOn)}`;
  const issue = beforeCampaign(signedOn, context) ?? after;
  return issue
    ? `${format.day(signedOn)} ${issue}. Correct the date signed, or enter the line as outside campaign dates.`
    : null;
}

/** That a day is after the sheet was collected, as a sentence; null if not. */
export function afterCollected(signedOn: string, context: Pick<EntryContext, "collectedOn" | "format">): string | null {
  const { collectedOn, format } = context;
  if (collectedOn === null || signedOn <= collectedOn) return null;
  return `${format.day(signedOn)} is after the sheet was collected, on ${format.day(collectedOn)}.`;
}

/** The message when the date signed loses the focus: what is wrong or odd about it; null if nothing is. */
export function dayNotice(signedOn: string, context: EntryContext): EntryForm["message"] {
  const text = dayProblem(signedOn, context) ?? outsideDates(signedOn, context) ?? afterCollected(signedOn, context);
  return text === null ? null : { text, wrong: true };
}

/** Whether the line is beyond the end of its sheet, and doesn't follow others there. */
export function isBeyondSheet({ line, confirmedLine }: EntryForm, { lines, lineCount }: EntryContext): boolean {
  const last = Math.max(lineCount, ...[...lines.keys()].map((taken) => (taken > lineCount ? taken + 1 : 0)));
  return line !== null && line > last && line !== confirmedLine;
}

/** Why no line can be stored at the form's place, or null. */
export function blockingReason(form: EntryForm, context: EntryContext): string | null {
  const { sheet, line, unsavedId, signedOn } = form;
  const { lines, lineCount } = context;
  if (sheet === null) return "Start a sheet first.";
  if (unsavedId !== null) return "The line in the form is still being sent.";
  if (line === null) return `Sheet ${sheet} has no empty lines left. Close it, or select a line to change.`;
  const taken = lines.get(line);
  if (!taken) return dayProblem(signedOn, context);
  const next = nextEmptyLine((one) => !lines.has(one), lineCount, line);
  const text = alreadyEnteredText(taken, { place: `line ${line}`, details: taken.stateText });
  return `${text} ${next === null ? "No lines are empty." : `The next empty line is ${next}.`}`;
}

/** What Enter does with this form in this context. */
export function nextAction(form: EntryForm, context: EntryContext): Offer {
  const { lines, lineCount, voters } = context;
  const typed = hasNames(form);
  if (!typed && form.sheet !== null && form.unsavedId === null) {
    if (form.line === null) return { does: "close" };
    if (lines.has(form.line)) {
      const line = nextEmptyLine((one) => !lines.has(one), lineCount, form.line);
      return line === null ? { does: "close" } : { does: "go", line };
    }
  }
  const problem = blockingReason(form, context);
  if (problem !== null) return nothing(problem);
  if (!typed) return nothing("Type the last name on the line.");
  if (context.searchDown && typedName(form) === "") return nothing("The voter search is unreachable. Try again later.");
  if (context.searchDown) return { does: "save-typed" };
  if (context.isSearching) return { does: "wait", for: "voters" };
  const index = markedIndex(form, context);
  const voter = index === null ? undefined : listed(context)[index];
  if (index === null || !voter) {
    const [first] = voters;
    return first ? { does: "mark", voter: first, index: 0 } : { does: "no-match" };
  }
  const mark = context.marks.get(voter.voterId);
  if (!mark || (mark.state === "signed" && mark.isLoading)) return { does: "wait", for: "marks", voter };
  if (mark.state === "signed") return { does: "duplicate", voter, index, at: mark.at };
  const outside = outsideDates(form.signedOn, context);
  return outside === null ? { does: "accept", voter, index } : nothing(outside);
}

/** The marked voter, if the list belongs to what is typed. */
export function markedVoter(form: EntryForm, context: EntryContext): Voter | null {
  const index = context.isSearching || context.searchDown ? null : markedIndex(form, context);
  return index === null ? null : (listed(context)[index] ?? null);
}

/** Why a verdict can't be chosen for what is typed, or null. */
export function verdictProblem(verdict: Rejection | "blank", form: EntryForm, context: EntryContext): string | null {
  const typed = hasNames(form);
  switch (verdict) {
    case "blank":
      return typed ? "Clear what you typed, then mark the line blank." : null;
    case "not-found":
    case "not-registered":
      return typed ? null : "Type the name first, so you can find this line later.";
    case "duplicate": {
      const voter = markedVoter(form, context);
      if (!voter) return "Type the name, then select the voter who has already signed.";
      const unsigned = context.marks.get(voter.voterId)?.state === "not-signed";
      return unsigned ? `${listName(voter)} hasn't signed yet. Enter the line as valid instead.` : null;
    }
    default:
      return null;
  }
}

/** The verdicts that say that the signer isn't among the voters. */
export const notListed: ReadonlySet<Rejection | "blank"> = new Set(["not-found", "not-registered"]);

/** What in the list speaks against a verdict, with the question whether it is right; null if nothing does. */
export function verdictQuestion(verdict: Rejection | "blank", form: EntryForm, context: EntryContext): string | null {
  const { voters, marks, districts, isSearching, searchDown } = context;
  const again = `Press again to mark it ${verdictWords[verdict]}.`;
  if (verdict === "out-of-district") {
    const voter = markedVoter(form, context);
    const isInside = voter?.district !== undefined && districts !== null && !isOutside(voter, districts);
    return isInside ? `${listName(voter)} lives in district ${voter.district}. ${again}` : null;
  }
  if (!notListed.has(verdict) || isSearching || searchDown) return null;
  const voter = voters.find((one) => marks.get(one.voterId)?.state === "not-signed" && isExactVoter(one, form.fields));
  return voter ? `${listName(voter)} is registered and hasn't signed. ${again}` : null;
}

export const placeOnPaper = ({ sheet, line, signedOn }: EntryForm): PaperPlace => ({ sheet, line, signedOn });

/** The place of the next empty line. */
export function nextPlace(form: EntryForm, { lines, lineCount }: EntryContext): PaperPlace {
  const current = form.line ?? 0;
  const line = nextEmptyLine((one) => one !== current && !lines.has(one), lineCount, current);
  return { ...placeOnPaper(form), line };
}
