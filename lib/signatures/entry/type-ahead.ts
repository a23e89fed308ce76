import { equalIgnoringCase } from "@/lib/format/text";
import { typedName, withVoter } from "@/lib/signatures/entry/entered-line";
import { type EntryContext, type EntryForm, emptyNames, hasNames } from "@/lib/signatures/entry/entry-form";
import { nextAction, type Offer } from "@/lib/signatures/entry/offer";
import { type EntryEvent, reduceEntry, type Step } from "@/lib/signatures/entry/step";
import { listName } from "@/lib/voters/voter-text";

/** What the fields show: the line being typed, while an earlier one still waits for its search. */
export const typedFields = ({ ahead, fields }: EntryForm) => ahead?.at(-1)?.fields ?? fields;

/**
 * Whether a line that waits with a question ignores an event, because the clerk hasn't seen the question and keeps typing.
 * Letters after a pause are ignored too: they belong to another line. Enter and Tab then answer the question, but Tab
 * doesn't after letters.
 */
export function isSwallowed({ held, fields }: Pick<EntryForm, "held" | "fields">, event: EntryEvent): boolean {
  if (held === null) return false;
  if (event.type === "typed") return event.text.length >= fields[event.field].length; // not a deletion
  if (event.type === "tab") return !held.isSeen || held.keys > 0;
  return (event.type === "enter" || event.type === "verdict") && !held.isSeen;
}

/**
 * Like `reduceEntry`, but an Enter before the search has finished waits for it, and what is typed until then goes to the
 * next lines. Then a line is stored if it matches exactly one voter, written as typed, who hasn't signed. Otherwise nothing
 * more is stored. A line that Enter didn't store is held with a question, and ignores further keys.
 */
export function reduceWithTypeAhead(form: EntryForm, event: EntryEvent, context: EntryContext): Step {
  if (form.held !== null) {
    const { keys } = form.held;
    if (event.type === "pause") return { form: { ...form, held: { keys, isSeen: true } }, effects: [] };
    if (isSwallowed(form, event)) return { form: { ...form, held: { keys: keys + 1, isSeen: false } }, effects: [] };
    if (["message", "day-done", "answered"].includes(event.type)) return reduceEntry(form, event, context);
    const edited = { ...form, held: null };
    if (event.type === "clear" && keys > 0) return { form: edited, effects: [] };
    return enterOrHold(edited, event, context);
  }
  const { ahead } = form;
  const typed = ahead?.at(-1);
  if (!ahead || !typed) return enterOrHold(form, event, context);
  const to = (...last: NonNullable<EntryForm["ahead"]>): Step => ({
    form: { ...form, ahead: [...ahead.slice(0, -1), ...last] },
    effects: [],
  });
  const next = { fields: { ...typed.fields, ...emptyNames }, end: null };
  switch (event.type) {
    case "typed":
      return to({ ...typed, fields: { ...typed.fields, [event.field]: event.text } });
    case "clear":
      return to(next);
    case "enter":
      return hasNames(typed) ? { ...to({ ...typed, end: event }, next), effects: [{ type: "focus" }] } : to(typed);
    case "verdict":
      if (event.verdict === "other") return stop(form, "The search for this line wasn't finished.");
      return { ...to({ ...typed, end: event }, next), effects: [{ type: "focus" }] };
    case "answered":
      return answered(form, ahead, context);
    case "message":
    case "day-done":
    case "pause":
    case "tab":
    case "look":
      return reduceEntry(form, event, context);
    case "begin":
    case "put-back":
    case "not-saved":
      return reduceEntry({ ...form, ahead: null }, event, context);
    default:
      return stop(form, "The search for this line wasn't finished.");
  }
}

function enterOrHold(form: EntryForm, event: EntryEvent, context: EntryContext): Step {
  const stepped = reduceEntry(form, event, context);
  if (event.type !== "enter" && event.type !== "verdict") return stepped;
  const offered = event.type === "enter" ? nextAction(form, context) : null;
  if (offered?.does === "wait") {
    const next = { fields: { ...form.fields, ...emptyNames }, end: null };
    // The marked voter on the screen must be the one that is stored.
    const marked = offered.for === "marks" ? offered.voter : null;
    const held = { ...stepped.form, marked, ahead: [{ fields: form.fields, end: event }, next] };
    return { form: held, effects: [...stepped.effects, { type: "focus" }] };
  }
  if (!hasNames(form) || stepped.effects.length > 0) return stepped;
  const several = `Line ${form.line}: ${context.format.number(context.total)} voters match.`;
  const question = { text: `${several} Is it the marked one? Press Enter, or mark another.`, wrong: true };
  const message = offered?.does === "mark" ? question : stepped.form.message;
  return { form: { ...stepped.form, message, held: { keys: 0, isSeen: false } }, effects: [] };
}

function answered(form: EntryForm, ahead: NonNullable<EntryForm["ahead"]>, context: EntryContext): Step {
  const alone = { ...form, ahead: null };
  const [{ end } = { end: null }, next, ...rest] = ahead;
  const offered = nextAction(alone, context);
  if (hasNames(alone) && offered.does === "wait") return { form, effects: [] };
  if (!end || !next) return { form: alone, effects: [] };
  const needsVoter = end.type === "enter" || (end.type === "verdict" && withVoter.has(end.verdict));
  const isCertain =
    end.type === "enter"
      ? isMeant(alone, offered, context)
      : offered.does !== "accept" || isMeant(alone, offered, context);
  if (needsVoter && !isCertain) return stop(form, whyNotStored(offered, context));
  const { form: after, effects } = reduceEntry(alone, end, context);
  if (!effects.some(({ type }) => type === "record")) {
    return effects.length > 0 ? { form: after, effects } : stop(form, after.message?.text ?? "");
  }
  const continued = { ...after, fields: next.fields, ahead: next.end === null ? null : [next, ...rest] };
  return { form: continued, effects: effects.filter(({ type }) => type !== "focus") }; // the clerk keeps typing, in any field
}

/** Whether the voter is written exactly as typed, or was marked on the screen. */
function isMeant({ marked, fields }: EntryForm, offered: Offer, { marks }: EntryContext): boolean {
  if (offered.does !== "accept" || marks.get(offered.voter.voterId)?.state !== "not-signed") return false;
  const { voter } = offered;
  const same = (text: string, of = "") => text.trim() !== "" && equalIgnoringCase(of, text.trim());
  const isExact = same(fields.lastName, voter.lastName) && same(fields.firstName, voter.firstName);
  return (
    marked === voter ||
    fields.voterId === voter.voterId ||
    (isExact && (!fields.houseNumber.trim() || same(fields.houseNumber, voter.houseNumber)))
  );
}

function whyNotStored(offered: Offer, { total }: EntryContext): string {
  switch (offered.does) {
    case "accept":
      return `Only ${listName(offered.voter)} matches. Press Enter to accept the line.`;
    case "duplicate":
      return `${listName(offered.voter)} has already signed. Press Enter to save the line as a duplicate.`;
    case "mark":
      return `${total} voters match. Mark one.`;
    case "save-typed":
      return "The search can't be reached. Press Enter to save the line as typed.";
    case "nothing":
      return offered.reason;
    default:
      return "Check the line, then press Enter.";
  }
}

/** Stops without storing anything. Drops what was typed for later lines, and lists it in the message. */
function stop(form: EntryForm, reason: string): Step {
  const later = (form.ahead ?? [])
    .slice(1)
    .filter(hasNames)
    .map((one) => typedName(one));
  const dropped = later.length > 0 ? ` Not entered: ${later.join("; ")}.` : "";
  const message = { text: `Line ${form.line}: ${reason}${dropped}`, wrong: true };
  return {
    form: { ...form, ahead: null, held: { keys: later.length, isSeen: false }, message },
    effects: [{ type: "focus" }],
  };
}
