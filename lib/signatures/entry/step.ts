import {
  type EntryForm,
  hasNames,
  lineFields,
  noNames,
  type PaperPlace,
  type Sight,
} from "@/lib/signatures/entry/entry-form";
import type { KeyEvent } from "@/lib/signatures/entry/entry-keys";
import { listed, markedIndex, obstacle, offer } from "@/lib/signatures/entry/offer";
import { nextEmptyLine } from "@/lib/signatures/entry/sheet-lines";
import { placeText } from "@/lib/signatures/line-text";
import type { LineWhat, What } from "@/lib/signatures/queue/entry";
import { signedAtText } from "@/lib/signatures/signed-mark";
import { type Rejection, verdictWords } from "@/lib/signatures/verdicts";
import type { Voter } from "@/lib/voters/read-hit";
import type { VoterField, VoterTexts } from "@/lib/voters/voter-query";
import { addressText, listName } from "@/lib/voters/voter-text";

/** What happens to the form: a key, a pointer, or something that it hears. */
export type EntryEvent =
  | KeyEvent
  | { type: "typed"; field: VoterField; text: string }
  | { type: "day"; signedOn: string }
  | { type: "mark"; index: number }
  /** The verdict "other", with its reason. */
  | { type: "reason"; note: string }
  | { type: "go"; line: number }
  /** The number of the line is typed. */
  | { type: "line"; line: number }
  /** The sheet that is keyed from now on; null after it was closed. */
  | { type: "begin"; sheet: number | null; line: number | null; said: string | null }
  /** A line comes back into the form as it was typed. */
  | { type: "put-back"; sheet: number; line: number; signedOn: string; texts: Partial<VoterTexts> }
  /** The browser could not keep the line: the form is as it was before, until Signet has it. */
  | { type: "unkept"; id: string; before: EntryForm }
  | { type: "released"; arrived: boolean }
  /** What was kept of an earlier page. */
  | { type: "restored"; form: EntryForm }
  | { type: "say"; text: string; wrong?: boolean };

/** What is to be done outside of the form. */
export type EntryEffect =
  /** Kept on this device and sent; an undo too. */
  | { type: "record"; what: What }
  /** Searches at once, without the pause of typing. */
  | { type: "search" }
  /** Puts back the next line that was kept as typed, if it can be looked up. */
  | { type: "next-typed" }
  | { type: "focus" | "ask-reason" | "show-sheet" | "report" };

type Step = { form: EntryForm; effects: EntryEffect[] };

const notKept =
  "This browser cannot keep lines: its storage is full or switched off. The line stays in the form until Signet has it.";

/**
 * The clerk's form after an event, and what is to be done. Nothing is stored but by Enter, which does what `offer` says and
 * the screen shows before, and by a verdict; a key that writes text stores nothing.
 */
export function step(form: EntryForm, event: EntryEvent, sight: Sight): Step {
  const to = (changed: Partial<EntryForm>, ...effects: EntryEffect[]): Step => ({
    form: { ...form, ...changed },
    effects,
  });
  const refuse = (text: string) => to({ said: { text, wrong: true } });
  const mark = (index: number) => {
    const all = listed(sight);
    const marked = all[Math.max(0, Math.min(all.length - 1, index))];
    return marked ? to({ marked, said: null }) : to({});
  };
  // What is typed goes along: it was the line that was wrong.
  const go = (line: number) =>
    form.held === null
      ? to({ line, marked: null, said: null }, { type: "focus" })
      : refuse(obstacle(form, sight) ?? "");
  const store = (what: LineWhat | TypedWhat, words: string, wrong = false): Step => {
    const after = nextLine(form, sight, { text: sentence(`Line ${what.line}: ${words}`), wrong });
    return { form: after.form, effects: [{ type: "record", what }, ...after.effects] };
  };

  switch (event.type) {
    case "typed":
      if (form.held !== null) return refuse(obstacle(form, sight) ?? "");
      return to({ texts: { ...form.texts, [event.field]: event.text }, marked: null, said: null });
    case "day":
      return to({ signedOn: event.signedOn, said: null });
    case "move":
      // Up begins at the last voter, whether somebody similar stands below by then or not.
      return mark(
        (markedIndex(form, sight) ?? (event.by === 1 ? -1 : sight.voters.length || sight.similar.length)) + event.by,
      );
    case "mark":
      return mark(event.index);
    case "clear":
      return to({ texts: { ...form.texts, ...noNames }, marked: null, said: null }, { type: "focus" });
    case "turn":
      return form.sheet === null ? to({}) : go(form.line === null ? sight.count : Math.max(1, form.line + event.by));
    case "go":
      return go(event.line);
    case "line":
      return form.held === null ? to({ line: event.line, said: null }) : refuse(obstacle(form, sight) ?? "");
    case "sheet":
      return to({}, { type: "show-sheet" });
    case "enter": {
      const offered = offer(form, sight);
      switch (offered.does) {
        case "accept":
          return store(signatureOf(form, offered.voter), listName(offered.voter));
        case "duplicate": {
          const where = offered.at ? `: ${signedAtText(offered.at, sight.format)}` : "";
          const words = `${listName(offered.voter)} has signed already${where}; kept as a duplicate`;
          return store(rejectedOf(form, "duplicate", offered.voter, null), words, true);
        }
        case "keep":
          return store(typedOf(form), `${nameTyped(form)}, kept as typed`);
        case "mark":
          return mark(offered.index);
        case "go":
          return go(offered.line);
        case "close":
          return to({}, { type: "report" });
        case "wait":
          if (offered.for === "voters") return to({}, { type: "search" });
          return to({ said: { text: "Checking whether she has signed…" } });
        case "nothing":
          return refuse(offered.why);
      }
      break;
    }
    case "verdict":
    case "reason": {
      const [verdict, note] = event.type === "reason" ? (["other", event.note] as const) : [event.verdict, null];
      const problem = obstacle(form, sight) ?? unfit(verdict, form, sight);
      if (problem !== null) return refuse(problem);
      if (verdict === "other" && note === null) return to({}, { type: "ask-reason" });
      const what = rejectedOf(form, verdict, verdict === "duplicate" ? markedVoter(form, sight) : null, note);
      return store(what, [what.name, verdictWords[verdict]].filter(Boolean).join(", "));
    }
    case "undo": {
      const { last } = sight;
      if (!last) return refuse("There is no line to undo.");
      const back = last.sheet === form.sheet && last.line !== null && !hasNames(form) && form.held === null;
      const said = { text: sentence(`Undone: ${[placeText(last), last.name].filter(Boolean).join(", ")}`) };
      const undo: EntryEffect = { type: "record", what: { kind: "undo", of: last.id } };
      return to({ said, ...(back && { line: last.line, marked: null }) }, undo, { type: "focus" });
    }
    case "begin": {
      const { sheet, line, said } = event;
      return to(
        { sheet, line, goesOn: null, marked: null, said: said === null ? null : { text: said } },
        { type: "focus" },
      );
    }
    case "put-back": {
      const { sheet, line, signedOn, texts } = event;
      const goesOn = form.goesOn ?? (form.sheet === null ? null : placeOf(form));
      const said = { text: `Sheet ${sheet}, line ${line}` };
      return to(
        { sheet, line, signedOn, texts: { ...form.texts, ...noNames, ...texts }, goesOn, marked: null, said },
        { type: "focus" },
      );
    }
    case "unkept":
      return { form: { ...event.before, held: event.id, said: { text: notKept, wrong: true } }, effects: [] };
    case "released":
      if (form.held === null) return to({});
      return event.arrived ? nextLine({ ...form, held: null }, sight, null) : to({ held: null });
    case "restored":
      return { form: event.form, effects: [] };
    case "say":
      return to({ said: { text: event.text, wrong: event.wrong } });
  }
}

// A name can end in an initial.
const sentence = (text: string) => (text.endsWith(".") ? text : `${text}.`);

type TypedWhat = Extract<What, { kind: "typed" }>;

const placeOf = ({ sheet, line, signedOn }: EntryForm): PaperPlace => ({ sheet, line, signedOn });

/** The form for the next line: where it went on before lines were put back into it, else the next empty one. */
function nextLine(form: EntryForm, { lines, count }: Sight, said: EntryForm["said"]): Step {
  const stood = form.line ?? 0;
  const line = nextEmptyLine((one) => one !== stood && !lines.has(one), count, stood);
  const place: PaperPlace = form.goesOn ?? { ...placeOf(form), line };
  const next = { ...form, ...place, texts: { ...form.texts, ...noNames }, marked: null, goesOn: null, said };
  return { form: next, effects: [...(form.goesOn ? [{ type: "next-typed" } as const] : []), { type: "focus" }] };
}

function markedVoter(form: EntryForm, sight: Sight): Voter | null {
  const index = sight.searching || sight.blind ? null : markedIndex(form, sight);
  return index === null ? null : (listed(sight)[index] ?? null);
}

/** Why a verdict does not fit what is typed, or null. */
function unfit(verdict: Rejection | "blank", form: EntryForm, sight: Sight): string | null {
  const typed = hasNames(form);
  switch (verdict) {
    case "blank":
      return typed ? "Something is typed for this line. Clear it with Esc, then mark the line as blank." : null;
    case "not-found":
    case "not-registered":
      return typed ? null : "Type the name on the line first, so that it can be found again.";
    case "duplicate": {
      const voter = markedVoter(form, sight);
      if (!voter) return "Mark the voter who has signed already: ↓, or a click on her.";
      const unsigned = sight.marks.get(voter.voterId)?.state === "not-signed";
      return unsigned ? `${listName(voter)} has not signed yet. Enter accepts the line.` : null;
    }
    default:
      return null;
  }
}

/** Where a line stands. Only asked for when `obstacle` has found nothing. */
function paperOf({ sheet, line, signedOn }: EntryForm) {
  return { sheet: sheet ?? 0, line: line ?? 0, signedOn: signedOn || null };
}

function signatureOf(form: EntryForm, voter: Voter): LineWhat {
  const { voterId, firstName = null, lastName = null, city = null, county = null, zip = null } = voter;
  const address = addressText(voter) || null;
  return { kind: "signature", voterId, firstName, lastName, address, city, county, zip, ...paperOf(form) };
}

function rejectedOf(form: EntryForm, verdict: Rejection | "blank", voter: Voter | null, note: string | null) {
  const name = (voter ? listName(voter) : nameTyped(form)) || null;
  return { kind: "rejected" as const, verdict, voterId: voter?.voterId ?? null, name, note, ...paperOf(form) };
}

function typedOf(form: EntryForm): TypedWhat {
  const { lastName, firstName, houseNumber } = form.texts;
  return {
    ...{ kind: "typed", lastName: lastName.trim(), firstName: firstName.trim(), houseNumber: houseNumber.trim() },
    ...paperOf(form),
  };
}

const nameTyped = ({ texts }: EntryForm) =>
  lineFields
    .map((field) => texts[field].trim())
    .filter(Boolean)
    .join(", ");
