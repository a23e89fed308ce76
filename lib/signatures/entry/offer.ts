import { typedName } from "@/lib/signatures/entry/entered-line";
import { type EntryContext, type EntryForm, hasNames, type LinePlace } from "@/lib/signatures/entry/entry-form";
import { isExactVoter, listedVoters, markedIndex, markedVoter } from "@/lib/signatures/entry/marked-voter";
import { nextEmptyLine } from "@/lib/signatures/entry/shown-lines";
import { dayProblem, outsideDates } from "@/lib/signatures/entry/signed-date";
import type { SignedAt } from "@/lib/signatures/line";
import { alreadyEnteredText } from "@/lib/signatures/line-text";
import { type Rejection, verdictWords } from "@/lib/signatures/verdicts";
import type { Voter } from "@/lib/voters/read-hit";
import { isOutside, listName } from "@/lib/voters/voter-text";

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
  /** Reopens a sheet that someone has closed, before anything else is done. */
  | { does: "reopen" }
  /** Reviews the sheet and closes it. */
  | { does: "close" }
  | { does: "wait"; for: "voters" }
  | { does: "wait"; for: "marks"; voter: Voter }
  /** Nothing: no voter matches exactly. */
  | { does: "no-match" }
  | { does: "nothing"; reason: string };

const nothing = (reason: string): Offer => ({ does: "nothing", reason });

/** What to check about a line beyond the end of its sheet; null if it isn't, follows others there, or is confirmed. */
export function beyondSheet(form: EntryForm, { lines, lineCount, format }: EntryContext): string | null {
  const { sheet, line, confirmedLine } = form;
  const last = Math.max(lineCount, ...[...lines.keys()].map((taken) => (taken > lineCount ? taken + 1 : 0)));
  if (line === null || line <= last || line === confirmedLine) return null;
  return `Sheet ${sheet} has ${format.count(lineCount, "line")}. Check the line number on the paper.`;
}

/** Why no line can be stored at the form's place, or null. */
export function blockingReason(form: EntryForm, context: EntryContext): string | null {
  const { sheet, line, unsavedId, signedOn } = form;
  if (sheet === null) return "Start a sheet first.";
  if (unsavedId !== null) return "The line in the form is still being sent.";
  if (line === null) return `Sheet ${sheet} has no empty lines left. Close it, or select a line to change.`;
  const taken = context.lines.get(line);
  if (!taken) return dayProblem(signedOn, context);
  const text = alreadyEnteredText(taken, { place: `line ${line}`, details: taken.stateText });
  // The button names the empty line, which others may fill while this text stays.
  return `${text} ${nextPlace(form, context).line === null ? "No lines are empty." : "Go to an empty line."}`;
}

/** What Enter does with this form in this context. */
export function currentOffer(form: EntryForm, context: EntryContext): Offer {
  const { lines, voters } = context;
  if (context.isClosed) return { does: "reopen" };
  const typed = hasNames(form);
  if (!typed && form.sheet !== null && form.unsavedId === null) {
    if (form.line === null) return { does: "close" };
    if (lines.has(form.line)) {
      const { line } = nextPlace(form, context);
      return line === null ? { does: "close" } : { does: "go", line };
    }
  }
  const problem = blockingReason(form, context);
  if (problem !== null) return nothing(problem);
  if (!typed) return nothing("Type the last name on the line.");
  if (context.searchDown && typedName(form) === "") return nothing("Voter search isn't responding. Try again later.");
  if (context.searchDown) return { does: "save-typed" };
  if (context.isSearching) return { does: "wait", for: "voters" };
  const index = markedIndex(form, context);
  const voter = index === null ? undefined : listedVoters(context)[index];
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

export const linePlace = ({ sheet, line, signedOn }: EntryForm): LinePlace => ({ sheet, line, signedOn });

/** The place of the next empty line. */
export function nextPlace(form: EntryForm, { lines, lineCount }: EntryContext): LinePlace {
  const current = form.line ?? 0;
  const line = nextEmptyLine((one) => one !== current && !lines.has(one), lineCount, current);
  return { ...linePlace(form), line };
}
