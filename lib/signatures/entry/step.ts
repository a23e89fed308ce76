import { capitalized, sentence } from "@/lib/format/text";
import {
  acceptedLine,
  namesById,
  putBackText,
  rejectedLine,
  typedLine,
  typedName,
  withVoter,
} from "@/lib/signatures/entry/entered-line";
import { type EntryContext, type EntryForm, hasNames, nextFields } from "@/lib/signatures/entry/entry-form";
import type { KeyEvent } from "@/lib/signatures/entry/entry-keys";
import { listedVoters, markedIndex, markedVoter } from "@/lib/signatures/entry/marked-voter";
import {
  beyondSheet,
  blockingReason,
  currentOffer,
  linePlace,
  nextPlace,
  verdictProblem,
  verdictQuestion,
} from "@/lib/signatures/entry/offer";
import { afterCollected, carriedDay, dayNotice } from "@/lib/signatures/entry/signed-date";
import { placeText } from "@/lib/signatures/line-text";
import type { Change, OutboxLine, TypedLine } from "@/lib/signatures/outbox/outbox";
import { duplicateText } from "@/lib/signatures/signed-mark";
import { verdictText } from "@/lib/signatures/verdicts";
import type { SearchFields, VoterField } from "@/lib/voters/voter-query";
import { listName } from "@/lib/voters/voter-text";

/** Something that happens to the form. */
export type EntryEvent =
  | KeyEvent
  | { type: "typed"; field: VoterField; text: string }
  /** Searches without these fields, on this line only. */
  | { type: "leave-out"; fields: readonly VoterField[] }
  | { type: "day"; signedOn: string }
  /** The field of the line number or the date lost the focus. */
  | { type: "place-done" }
  /** The clerk confirms that the line is beyond the end of the sheet. */
  | { type: "confirm-line"; line: number }
  | { type: "mark"; index: number }
  /** The verdict "other", with its reason. */
  | { type: "reason"; note: string }
  | { type: "go"; line: number }
  /** No key came for a while. */
  | { type: "pause" }
  | { type: "tab" }
  /** A click, or a key with which the clerk goes back to editing. */
  | { type: "look" }
  /** The screen shows another search or mark, or a full sheet has an empty line again. */
  | { type: "answered" }
  | { type: "line"; line: number }
  /** The sheet to enter from now on, or the new number of the same one; null after it was closed. */
  | { type: "begin"; sheet: number | null; line: number | null; text: string | null; isRenumbered?: boolean }
  /** A line comes back into the form as it was typed. */
  | {
      type: "put-back";
      sheet: number;
      line: number;
      signedOn: string;
      fields: Partial<SearchFields>;
      /** The id of the stored line that is corrected. */
      replaces?: string;
    }
  /** The browser couldn't save the line: the form is as before until it is sent. */
  | { type: "not-saved"; id: string; before: EntryForm }
  | { type: "released"; arrived: boolean }
  | { type: "message"; text: string; wrong?: boolean };

/** Something to be done outside the form. */
export type EntryEffect =
  /** Saved on this device and sent. */
  | { type: "record"; change: Change }
  /** Searches at once, without the delay of typing. */
  | { type: "search" }
  /** Puts back the next line to look up, if it can be looked up. */
  | { type: "next-typed" }
  /** Puts a stored line back into the form. */
  | { type: "correct"; id: string }
  /** `focus` goes to the last name, and `focus-back` to the field that had the focus before. */
  | { type: "focus" | "focus-back" | "ask-reason" | "ask-line" | "ask-reopen" | "show-sheet" | "report" | "redo" };

export type Step = { form: EntryForm; effects: EntryEffect[] };

const emptyVoter = { voterId: "", houseNumber: "" };
const votersPerTurn = 5; // as many as fit

const notSaved =
  "This browser can't save lines: its storage is full or switched off. The line stays in the form until it's sent.";

/**
 * The clerk's form after an event, and what to do. Only a verdict and Enter store a line; clearing one to look up saves it as
 * typed again. Enter does what `currentOffer` returns and the screen shows. A key that writes text stores nothing.
 */
export function reduceEntry(form: EntryForm, event: EntryEvent, context: EntryContext): Step {
  const to = (changed: Partial<EntryForm>, ...effects: EntryEffect[]): Step => ({
    form: { ...form, ...changed },
    effects,
  });
  const refuse = (text: string) => to({ message: { text, wrong: true } });
  const mark = (index: number) => {
    const all = listedVoters(context);
    const marked = all[Math.max(0, Math.min(all.length - 1, index))];
    return marked ? to({ marked, message: null }) : to({});
  };
  const ifSaved = (changed: Partial<EntryForm>, ...effects: EntryEffect[]) =>
    form.unsavedId === null ? to(changed, ...effects) : refuse(blockingReason(form, context) ?? "");
  // The typed text stays, because only the line number was wrong.
  const go = (line: number) => ifSaved({ line, marked: null, message: null }, { type: "focus" });
  const store = (change: OutboxLine | TypedLine, words: string, wrong = false): Step => {
    if (beyondSheet(form, context) !== null) return to({}, { type: "ask-line" });
    const { replaces } = form;
    const undo: EntryEffect[] = replaces === null ? [] : [{ type: "record", change: { kind: "undo", of: replaces } }];
    const stored = change.kind === "line" && replaces !== null ? { ...change, replaces } : change;
    const odd = change.kind === "line" && change.verdict === "accepted" ? afterCollected(form.signedOn, context) : null;
    const moved = context.replaced?.line !== change.line && context.replaced;
    const place = moved ? `Line ${moved.line} moved to line ${change.line}` : `Line ${change.line}`;
    const said = [sentence(`${place}: ${words}`), odd].filter(Boolean).join(" ");
    // A move leaves its line empty, which comes next.
    const resumeAt = moved
      ? { ...linePlace(form), ...form.resumeAt, sheet: moved.sheet, line: moved.line }
      : form.resumeAt;
    const after = nextLine({ ...form, resumeAt }, context, { text: said, wrong: wrong || odd !== null });
    return { form: after.form, effects: [...undo, { type: "record", change: stored }, ...after.effects] };
  };

  switch (event.type) {
    case "typed":
      return ifSaved({
        // The house number of a voter who is in the form by their ID wasn't typed, and another voter has another.
        fields: { ...form.fields, ...(form.fields.voterId !== "" && emptyVoter), [event.field]: event.text },
        leftOut: event.field in form.leftOut ? { ...form.leftOut, [event.field]: event.text } : form.leftOut,
        marked: null,
        message: null,
      });
    case "leave-out": {
      const without = Object.fromEntries(event.fields.map((field) => [field, ""]));
      const leftOut = Object.fromEntries(event.fields.map((field) => [field, form.fields[field]]));
      const changed = { fields: { ...form.fields, ...without }, leftOut: { ...leftOut, ...form.leftOut } };
      return ifSaved({ ...changed, marked: null, message: null }, { type: "focus" }); // its button disappears
    }
    case "day":
      return to({ signedOn: event.signedOn, message: null });
    case "place-done": {
      const text = beyondSheet(form, context) ?? dayNotice(form.signedOn, context);
      return form.message || text === null ? to({}) : refuse(text); // Enter may just have entered the line and said so
    }
    case "confirm-line":
      return to({ confirmedLine: event.line, message: null }, { type: "focus" });
    case "move": {
      // Up begins at the last exact match, whether near matches have arrived below it or not.
      const last = context.voters.length || context.similar.length;
      return mark((markedIndex(form, context) ?? (event.by === 1 ? -1 : last)) + event.by);
    }
    case "mark":
      return mark(event.index);
    case "clear": {
      if (form.replaces !== null) {
        const place = placeText(context.replaced ?? { sheet: form.sheet, line: form.line });
        return nextLine(form, context, { text: `${capitalized(place)} wasn't changed.` });
      }
      // A line to look up is stored nowhere else.
      if (form.resumeAt !== null && form.unsavedId === null && hasNames(form)) {
        const text = sentence(`Line ${form.line}: needs a lookup – ${typedName(form)}`);
        const after = nextLine(form, context, { text });
        return { form: after.form, effects: [{ type: "record", change: typedLine(form) }, { type: "focus" }] };
      }
      const signedOn = carriedDay(form.signedOn, context);
      return to({ signedOn, fields: nextFields(form), leftOut: {}, marked: null, message: null }, { type: "focus" });
    }
    case "turn":
      // Someone who looks for a voter in a list doesn't mean another line.
      if (hasNames(form) && listedVoters(context).length > 0) {
        const from = markedIndex(form, context) ?? (event.by === 1 ? -1 : 0);
        const lastExact = context.voters.length - 1; // a stop, whether near matches have arrived below it or not
        const to = from + event.by * votersPerTurn;
        return mark(from < lastExact ? Math.min(lastExact, to) : to);
      }
      return form.sheet === null
        ? to({})
        : go(form.line === null ? context.lineCount : Math.max(1, form.line + event.by));
    case "go":
      if (!hasNames(form) || !context.lines.has(event.line)) return go(event.line);
      return to({ message: { text: `Enter line ${form.line} first, or clear it.`, wrong: true } }, { type: "focus" });
    case "next-empty": {
      const { line } = nextPlace(form, context);
      return line === null ? refuse("No other lines are empty.") : go(line);
    }
    case "line":
      return ifSaved({ line: event.line, message: null });
    case "sheet":
      return to({}, { type: "show-sheet" });
    case "enter": {
      const offered = currentOffer(form, context);
      switch (offered.does) {
        case "accept":
          return store(acceptedLine(form, offered.voter), `valid – ${listName(offered.voter)}`);
        case "duplicate": {
          const words = duplicateText(listName(offered.voter), offered.at, context.format);
          return store(rejectedLine(form, "duplicate", offered.voter, null), words, true);
        }
        case "save-typed":
          return store(
            typedLine(form),
            `${sentence(`saved – ${typedName(form)}`)} Look up the line when voter search works again`,
          );
        case "mark":
          return mark(offered.index);
        case "go":
          return go(offered.line);
        case "reopen":
          return to({}, { type: "ask-reopen" });
        case "close":
          return to({}, { type: "report" });
        case "wait":
          if (offered.for === "voters") return to({}, { type: "search" });
          return to({ message: { text: "Checking whether they have already signed…" } });
        case "no-match":
          return to({ message: { text: "", wrong: true, noMatch: true } });
        case "nothing":
          if (hasNames(form) || blockingReason(form, context) !== null) return refuse(offered.reason);
          return to({ message: { text: offered.reason, wrong: true } }, { type: "focus" });
      }
      break;
    }
    case "verdict":
    case "reason": {
      if (context.isClosed) return to({}, { type: "ask-reopen" });
      const [verdict, note] = event.type === "reason" ? (["other", event.note] as const) : [event.verdict, null];
      const problem = blockingReason(form, context) ?? verdictProblem(verdict, form, context);
      if (problem !== null) return refuse(problem);
      if (verdict === "other" && note === null) return to({}, { type: "ask-reason" });
      const question = form.message?.asks === verdict ? null : verdictQuestion(verdict, form, context);
      if (question !== null) return to({ message: { text: question, wrong: true, asks: verdict } });
      const line = rejectedLine(form, verdict, withVoter.has(verdict) ? markedVoter(form, context) : null, note);
      return store(line, [verdictText(line), line.name].filter(Boolean).join(" – "));
    }
    case "correct": {
      if (form.unsavedId !== null) return refuse(blockingReason(form, context) ?? "");
      if (hasNames(form)) return refuse("Enter this line first, or clear it.");
      const chosen = form.line === null ? undefined : context.lines.get(form.line);
      const line = chosen ?? context.last;
      if (!line) return refuse("No line to correct.");
      if (chosen && !chosen.mine)
        return refuse(`${chosen.enteredBy ?? "Someone else"} entered this line. To correct it, open its history.`);
      if (chosen?.state === "typed" || chosen?.state === "refused") return refuse("Correct it in the list below.");
      return to({}, { type: "correct", id: line.id });
    }
    case "pause":
    case "tab":
    case "look":
      return to({});
    case "answered": {
      const names = namesById(form, context);
      const line = form.line ?? nextPlace(form, context).line;
      return to(names ? { line, fields: { ...form.fields, ...names } } : { line });
    }
    case "redo":
      return to({}, { type: "redo" });
    case "begin": {
      const { sheet, line, text } = event;
      const message = text === null ? null : { text };
      const begun = { sheet, line, resumeAt: null, marked: null, replaces: null, confirmedLine: null, message };
      // A day typed before any sheet was started belongs to this one.
      const isOtherSheet = form.sheet !== null && form.sheet !== sheet && !event.isRenumbered;
      const signedOn = isOtherSheet ? "" : carriedDay(form.signedOn, context);
      const fields = form.replaces === null ? form.fields : nextFields(form);
      return to({ ...begun, signedOn, fields }, { type: "focus" });
    }
    case "put-back": {
      const { sheet, line, signedOn, fields, replaces = null } = event;
      // Not the line that was chosen for the correction.
      const here = form.line !== null && context.lines.has(form.line) ? nextPlace(form, context) : linePlace(form);
      const resumeAt = form.resumeAt ?? here;
      const message = { text: putBackText(event) };
      const names = { ...nextFields(form), ...fields };
      const back = { sheet, line, signedOn, fields: names, leftOut: {}, resumeAt, replaces, marked: null, message };
      return to(back, { type: "focus" });
    }
    case "not-saved": {
      const waiting = { replaces: null, end: null, openQuestion: null, unsavedId: event.id };
      return { form: { ...event.before, ...waiting, message: { text: notSaved, wrong: true } }, effects: [] };
    }
    case "released":
      if (form.unsavedId === null) return to({});
      return event.arrived ? nextLine({ ...form, unsavedId: null }, context, null) : to({ unsavedId: null });
    case "message":
      return to({ message: { text: event.text, wrong: event.wrong } });
  }
}

/** The form for the next line: where it was before lines were put back into it, otherwise the next empty line. */
function nextLine(form: EntryForm, context: EntryContext, message: EntryForm["message"]): Step {
  const place = form.resumeAt ?? nextPlace(form, context);
  const signedOn = carriedDay(place.signedOn, context);
  const ended = { leftOut: {}, marked: null, resumeAt: null, replaces: null, confirmedLine: null };
  const next = { ...form, ...place, signedOn, fields: nextFields(form), ...ended, message };
  const isLookedUp = form.resumeAt !== null && form.replaces === null;
  return { form: next, effects: [...(isLookedUp ? [{ type: "next-typed" } as const] : []), { type: "focus" }] };
}
