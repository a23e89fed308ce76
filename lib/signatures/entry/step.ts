import type { Format } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";
import {
  type EntryContext,
  type EntryForm,
  hasNames,
  lineFields,
  noNames,
  type PaperPlace,
} from "@/lib/signatures/entry/entry-form";
import type { KeyEvent } from "@/lib/signatures/entry/entry-keys";
import { listed, markedIndex, obstacle, offer } from "@/lib/signatures/entry/offer";
import { nextEmptyLine } from "@/lib/signatures/entry/shown-lines";
import type { SignedAt } from "@/lib/signatures/line";
import { nameText, placeText } from "@/lib/signatures/line-text";
import type { Change, OutboxLine, TypedLine } from "@/lib/signatures/outbox/outbox";
import { signedAtText } from "@/lib/signatures/signed-mark";
import { type Rejection, verdictWords } from "@/lib/signatures/verdicts";
import type { Voter } from "@/lib/voters/read-hit";
import type { VoterField, VoterTexts } from "@/lib/voters/voter-query";
import { addressText, listName } from "@/lib/voters/voter-text";

/** Something that happens to the form. */
export type EntryEvent =
  | KeyEvent
  | { type: "typed"; field: VoterField; text: string }
  | { type: "day"; signedOn: string }
  | { type: "mark"; index: number }
  /** The verdict "other", with its reason. */
  | { type: "reason"; note: string }
  | { type: "go"; line: number }
  /** A line number was typed. */
  | { type: "line"; line: number }
  /** The sheet to enter from now on; null after it was closed. */
  | { type: "begin"; sheet: number | null; line: number | null; text: string | null }
  /** A line comes back into the form as it was typed. */
  | { type: "put-back"; sheet: number; line: number; signedOn: string; texts: Partial<VoterTexts> }
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
  /** Puts back the next line that was saved as typed, if it can be looked up. */
  | { type: "next-typed" }
  | { type: "focus" | "ask-reason" | "show-sheet" | "report" };

type Step = { form: EntryForm; effects: EntryEffect[] };

const notSaved =
  "This browser can't save lines: its storage is full or switched off. The line stays in the form until it is sent.";

/**
 * The clerk's form after an event, and what to do. Only a verdict and Enter store a line; Enter does what `offer` returns and
 * the screen shows. A key that writes text stores nothing.
 */
export function step(form: EntryForm, event: EntryEvent, context: EntryContext): Step {
  const to = (changed: Partial<EntryForm>, ...effects: EntryEffect[]): Step => ({
    form: { ...form, ...changed },
    effects,
  });
  const refuse = (text: string) => to({ message: { text, wrong: true } });
  const mark = (index: number) => {
    const all = listed(context);
    const marked = all[Math.max(0, Math.min(all.length - 1, index))];
    return marked ? to({ marked, message: null }) : to({});
  };
  const ifSaved = (changed: Partial<EntryForm>, ...effects: EntryEffect[]) =>
    form.unsavedId === null ? to(changed, ...effects) : refuse(obstacle(form, context) ?? "");
  // What is typed moves along, because only the line number was wrong.
  const go = (line: number) => ifSaved({ line, marked: null, message: null }, { type: "focus" });
  const store = (change: OutboxLine | TypedLine, words: string, wrong = false): Step => {
    const after = nextLine(form, context, { text: sentence(`Line ${change.line}: ${words}`), wrong });
    return { form: after.form, effects: [{ type: "record", change }, ...after.effects] };
  };

  switch (event.type) {
    case "typed":
      return ifSaved({ texts: { ...form.texts, [event.field]: event.text }, marked: null, message: null });
    case "day":
      return to({ signedOn: event.signedOn, message: null });
    case "move": {
      // Up begins at the last exact match, whether near matches have arrived below it or not.
      const last = context.voters.length || context.similar.length;
      return mark((markedIndex(form, context) ?? (event.by === 1 ? -1 : last)) + event.by);
    }
    case "mark":
      return mark(event.index);
    case "clear":
      return to({ texts: { ...form.texts, ...noNames }, marked: null, message: null }, { type: "focus" });
    case "turn":
      return form.sheet === null
        ? to({})
        : go(form.line === null ? context.lineCount : Math.max(1, form.line + event.by));
    case "go":
      return go(event.line);
    case "line":
      return ifSaved({ line: event.line, message: null });
    case "sheet":
      return to({}, { type: "show-sheet" });
    case "enter": {
      const offered = offer(form, context);
      switch (offered.does) {
        case "accept":
          return store(acceptedLine(form, offered.voter), listName(offered.voter));
        case "duplicate": {
          const words = duplicateText(listName(offered.voter), offered.at, context.format);
          return store(rejectedLine(form, "duplicate", offered.voter, null), words, true);
        }
        case "save-typed":
          return store(typedLine(form), `${typedName(form)}, saved as typed`);
        case "mark":
          return mark(offered.index);
        case "go":
          return go(offered.line);
        case "close":
          return to({}, { type: "report" });
        case "wait":
          if (offered.for === "voters") return to({}, { type: "search" });
          return to({ message: { text: "Checking whether they have already signed…" } });
        case "nothing":
          return refuse(offered.why);
      }
      break;
    }
    case "verdict":
    case "reason": {
      const [verdict, note] = event.type === "reason" ? (["other", event.note] as const) : [event.verdict, null];
      const problem = obstacle(form, context) ?? unfit(verdict, form, context);
      if (problem !== null) return refuse(problem);
      if (verdict === "other" && note === null) return to({}, { type: "ask-reason" });
      const line = rejectedLine(form, verdict, withVoter.has(verdict) ? markedVoter(form, context) : null, note);
      return store(line, [line.name, verdictWords[verdict]].filter(Boolean).join(", "));
    }
    case "undo": {
      const { last } = context;
      if (!last) return refuse("There is no line to undo.");
      const back = last.sheet === form.sheet && last.line !== null && !hasNames(form) && form.unsavedId === null;
      const message = { text: sentence(`Undone: ${[placeText(last), last.name].filter(Boolean).join(", ")}`) };
      const undo: EntryEffect = { type: "record", change: { kind: "undo", of: last.id } };
      return to({ message, ...(back && { line: last.line, marked: null }) }, undo, { type: "focus" });
    }
    case "begin": {
      const { sheet, line, text } = event;
      const message = text === null ? null : { text };
      return to({ sheet, line, resumeAt: null, marked: null, message }, { type: "focus" });
    }
    case "put-back": {
      const { sheet, line, signedOn, texts } = event;
      const resumeAt = form.resumeAt ?? (form.sheet === null ? null : placeOf(form));
      const message = { text: capitalized(placeText({ sheet, line })) };
      const names = { ...form.texts, ...noNames, ...texts };
      return to({ sheet, line, signedOn, texts: names, resumeAt, marked: null, message }, { type: "focus" });
    }
    case "not-saved":
      return {
        form: { ...event.before, unsavedId: event.id, message: { text: notSaved, wrong: true } },
        effects: [],
      };
    case "released":
      if (form.unsavedId === null) return to({});
      return event.arrived ? nextLine({ ...form, unsavedId: null }, context, null) : to({ unsavedId: null });
    case "message":
      return to({ message: { text: event.text, wrong: event.wrong } });
  }
}

// A name can end with an initial.
const sentence = (text: string) => (text.endsWith(".") ? text : `${text}.`);

/** Says where a voter has already signed, without the full stop. */
export function duplicateText(name: string, at: SignedAt | null, format: Format) {
  return `${name} has already signed${at ? `: ${signedAtText(at, format)}` : ""}; saved as a duplicate`;
}

const placeOf = ({ sheet, line, signedOn }: EntryForm): PaperPlace => ({ sheet, line, signedOn });

/** The form for the next line: where it was before lines were put back into it, otherwise the next empty line. */
function nextLine(form: EntryForm, { lines, lineCount }: EntryContext, message: EntryForm["message"]): Step {
  const current = form.line ?? 0;
  const line = nextEmptyLine((one) => one !== current && !lines.has(one), lineCount, current);
  const place: PaperPlace = form.resumeAt ?? { ...placeOf(form), line };
  const next = { ...form, ...place, texts: { ...form.texts, ...noNames }, marked: null, resumeAt: null, message };
  return { form: next, effects: [...(form.resumeAt ? [{ type: "next-typed" } as const] : []), { type: "focus" }] };
}

function markedVoter(form: EntryForm, context: EntryContext): Voter | null {
  const index = context.searching || context.searchDown ? null : markedIndex(form, context);
  return index === null ? null : (listed(context)[index] ?? null);
}

/** Why a verdict does not fit what is typed, or null. */
function unfit(verdict: Rejection | "blank", form: EntryForm, context: EntryContext): string | null {
  const typed = hasNames(form);
  switch (verdict) {
    case "blank":
      return typed ? "Something is typed for this line. Clear it with Esc, then mark the line blank." : null;
    case "not-found":
    case "not-registered":
      return typed ? null : "Type the name on the line first, so that it can be found again.";
    case "duplicate": {
      const voter = markedVoter(form, context);
      if (!voter) return "Mark the voter who has already signed with ↓ or a click.";
      const unsigned = context.marks.get(voter.voterId)?.state === "not-signed";
      return unsigned ? `${listName(voter)} hasn't signed yet. Press Enter to accept the line.` : null;
    }
    default:
      return null;
  }
}

/** Where a line is. Only asked for when there is no obstacle. */
const paperOf = ({ sheet, line, signedOn }: EntryForm) => ({
  sheet: sheet ?? 0,
  line: line ?? 0,
  signedOn: signedOn || null,
});

const noVoter = { voterId: null, firstName: null, lastName: null, address: null, city: null, county: null, zip: null };

// The invalid lines of which the voter is known.
const withVoter: ReadonlySet<Rejection | "blank"> = new Set(["duplicate", "out-of-district", "outside-dates", "other"]);

function voterFields(voter: Voter) {
  const { voterId, firstName = null, lastName = null, city = null, county = null, zip = null } = voter;
  return { voterId, firstName, lastName, address: addressText(voter) || null, city, county, zip };
}

function acceptedLine(form: EntryForm, voter: Voter): OutboxLine {
  const line = { kind: "line", verdict: "accepted", ...voterFields(voter), name: nameText(voter) } as const;
  return { ...line, note: null, ...paperOf(form) };
}

function rejectedLine(
  form: EntryForm,
  verdict: Rejection | "blank",
  voter: Voter | null,
  note: string | null,
): OutboxLine {
  const name = (voter ? listName(voter) : typedName(form)) || null;
  const { lastName, firstName, houseNumber } = namesTyped(form);
  const typed = { lastName: lastName || null, firstName: firstName || null, address: houseNumber || null };
  const who = voter ? voterFields(voter) : { ...noVoter, ...typed };
  return { kind: "line", verdict, ...who, name, note, ...paperOf(form) };
}

function typedLine(form: EntryForm): TypedLine {
  return { kind: "typed", ...namesTyped(form), ...paperOf(form) };
}

const namesTyped = ({ texts: { lastName, firstName, houseNumber } }: EntryForm) => ({
  lastName: lastName.trim(),
  firstName: firstName.trim(),
  houseNumber: houseNumber.trim(),
});

const typedName = ({ texts }: EntryForm) =>
  lineFields
    .map((field) => texts[field].trim())
    .filter(Boolean)
    .join(", ");
