import { typedName, withVoter } from "@/lib/signatures/entry/entered-line";
import {
  type AheadLine,
  type EntryContext,
  type EntryForm,
  emptyNames,
  hasNames,
  type LineEnd,
  nextFields,
} from "@/lib/signatures/entry/entry-form";
import { isExactVoter } from "@/lib/signatures/entry/marked-voter";
import { currentOffer, notListed, type Offer } from "@/lib/signatures/entry/offer";
import { type EntryEvent, reduceEntry, type Step } from "@/lib/signatures/entry/step";
import { verdictWords } from "@/lib/signatures/verdicts";
import { isOutside, listName } from "@/lib/voters/voter-text";

/** Whether the fields show a line that waits for the one in the form, because the clerk types on. */
export const isTypingAhead = ({ ahead, end, openQuestion }: Pick<EntryForm, "ahead" | "end" | "openQuestion">) =>
  ahead.length > 0 && (end !== null || openQuestion?.isTyping === true);

/** What the fields show: the line being typed, while an earlier one still waits for its search or for an answer. */
export const typedFields = (form: EntryForm) => (isTypingAhead(form) && form.ahead.at(-1)?.fields) || form.fields;

/** Names the lines that wait for the one in the form. */
export const namesAhead = ({ ahead }: Pick<EntryForm, "ahead">) =>
  ahead.flatMap(
    ({ fields, end }) => typedName({ fields }) || (end?.type === "verdict" ? verdictWords[end.verdict] : []),
  );

/** Whether a line that waits with a question ignores Tab, because the clerk hasn't seen the question. */
export const ignoresTab = ({ openQuestion }: Pick<EntryForm, "openQuestion">) =>
  openQuestion !== null && !openQuestion.isTyping && !openQuestion.isSeen;

/**
 * Extends `reduceEntry`: an Enter, or a verdict that needs the search, waits until the search has finished. What is typed until
 * then goes to the next lines. Then a line is stored if it matches exactly one voter, written as typed, who hasn't signed. If
 * Enter didn't store a line, a question about it stays open, and what is typed waits until that line is entered.
 */
export function reduceWithTypeAhead(form: EntryForm, event: EntryEvent, context: EntryContext): Step {
  const step = reduceLine(form, event, context);
  const { ahead, end, openQuestion } = step.form;
  // Clearing a line leaves it to be typed again, so that those that wait keep their numbers; only an empty one is given up.
  const isGivenUp = event.type === "clear" && !hasNames(form);
  const isStored = step.effects.some(({ type }) => type === "record") || (event.type === "released" && event.arrived);
  const [next, ...later] = ahead;
  if (!next || !(isGivenUp || isStored) || end !== null || openQuestion !== null || hasNames(step.form)) return step;
  // Then the next line isn't entered without another Enter, because its number has changed.
  const continued = { ...step.form, fields: next.fields, end: isGivenUp ? null : next.end, ahead: later };
  const isUsed = hasNames(continued) || continued.end !== null;
  return { form: continued, effects: step.effects.filter(({ type }) => !(isUsed && type === "next-typed")) };
}

function reduceLine(form: EntryForm, event: EntryEvent, context: EntryContext): Step {
  if (form.openQuestion !== null) return reduceQuestion(form, form.openQuestion, event, context);
  if (form.end === null) return enterOrAsk(form, event, context);
  switch (event.type) {
    case "typed":
    case "clear":
    case "enter":
      return typeAhead(form, event);
    case "verdict":
      return event.verdict === "other" ? stop(form, unfinished) : typeAhead(form, event);
    case "answered":
      return answered(form, form.end, context);
    case "message":
    case "place-done":
    case "pause":
    case "tab":
    case "look":
      return reduceEntry(form, event, context);
    case "begin":
    case "put-back":
    case "not-saved":
      return reduceEntry({ ...form, end: null }, event, context);
    default:
      return stop(form, unfinished);
  }
}

const unfinished = "The search for this line hasn't finished.";

/** Types into the last of the lines that wait, or ends it. */
function typeAhead(form: EntryForm, event: LineEnd | Extract<EntryEvent, { type: "typed" | "clear" }>): Step {
  const last = form.ahead.at(-1) ?? { fields: nextFields(form), end: null };
  const next = { fields: { ...last.fields, ...emptyNames }, end: null };
  const to = (...lines: AheadLine[]) => ({ ...form, ahead: [...form.ahead.slice(0, -1), ...lines] });
  switch (event.type) {
    case "typed":
      return { form: to({ ...last, fields: { ...last.fields, [event.field]: event.text } }), effects: [] };
    case "clear":
      return { form: to(next), effects: [] };
    default:
      if (event.type === "enter" && !hasNames(last)) return { form, effects: [] };
      return { form: to({ ...last, end: event }, next), effects: [{ type: "focus" }] };
  }
}

/**
 * The clerk can see the question only after a pause, so that keys before it belong to the next line. After it, Enter, Tab and
 * verdicts answer the question, and letters belong to the next line. While that is being typed, they don't answer it; nor do
 * verdicts once it is finished.
 */
function reduceQuestion(
  form: EntryForm,
  question: NonNullable<EntryForm["openQuestion"]>,
  event: EntryEvent,
  context: EntryContext,
): Step {
  const { keys, isSeen, isTyping } = question;
  const keepAsking = ({ form, effects }: Step, typing = isTyping): Step => ({
    form: {
      ...form,
      openQuestion: { keys: keys + 1, isSeen: false, isTyping: typing },
      message: form.message && { ...form.message, asks: undefined },
    },
    effects,
  });
  const ignored = keepAsking({ form, effects: [] });
  const isAnswer = isSeen && !(isTyping && hasNames({ fields: typedFields(form) }));
  const last = form.ahead.at(-1);
  const another = { fields: nextFields(form), end: null };
  const nextForm = isTyping || !last || !hasNames(last) ? form : { ...form, ahead: [...form.ahead, another] };
  switch (event.type) {
    case "pause":
      return { form: { ...form, openQuestion: { ...question, isSeen: true } }, effects: [] };
    case "message":
    case "place-done":
    case "answered":
      return reduceEntry(form, event, context);
    case "typed": {
      if (isTyping) return keepAsking(typeAhead(form, event));
      const text = insertedText(form.fields[event.field], event.text);
      if (text === "") break; // a deletion
      const { form: typed } = typeAhead(nextForm, { type: "typed", field: "lastName", text });
      return keepAsking({ form: typed, effects: [{ type: "focus" }] }, true);
    }
    case "tab":
      if (isTyping || !isSeen) return ignored;
      break;
    case "enter":
      if (!isAnswer) return isTyping ? keepAsking(typeAhead(form, event)) : ignored;
      break;
    case "verdict":
      // If lines wait behind this one, the verdict is the next one's: here it would be entered on the wrong line.
      if (isSeen && !isTyping && form.ahead.every(({ end }) => end === null)) break;
      if (event.verdict !== "other") return keepAsking(typeAhead(nextForm, event), true);
      return keepAsking({ form: { ...form, message: { text: otherComesLater(form), wrong: true } }, effects: [] });
    case "clear":
      if (keys > 0) return { form: { ...form, openQuestion: null }, effects: [{ type: "focus" }] };
      break;
    default:
      break;
  }
  return enterOrAsk({ ...form, openQuestion: null }, event, context);
}

const otherComesLater = (form: EntryForm) =>
  `Line ${form.line} (${typedName(form)}) comes first. Enter it, then choose the reason for the next one.`;

/** What was typed or pasted into a text; empty if that didn't make it longer. */
function insertedText(before: string, after: string): string {
  const from = [...after].findIndex((letter, index) => letter !== [...before][index]);
  return [...after].slice(from, from + [...after].length - [...before].length).join("");
}

function enterOrAsk(form: EntryForm, event: EntryEvent, context: EntryContext): Step {
  const stepped = reduceEntry(form, event, context);
  if (event.type !== "enter" && event.type !== "verdict") return stepped;
  const offered = event.type === "enter" || notListed.has(event.verdict) ? currentOffer(form, context) : null;
  if (offered?.does === "wait") {
    const waiting = reduceEntry(form, { type: "enter" }, context);
    const next = { fields: nextFields(form), end: null };
    // The marked voter on the screen must be the one that is stored.
    const marked = offered.for === "marks" ? offered.voter : null;
    const ahead = form.ahead.length > 0 ? form.ahead : [next];
    return { form: { ...waiting.form, marked, end: event, ahead }, effects: [...waiting.effects, { type: "focus" }] };
  }
  if (!hasNames(form) || stepped.effects.length > 0) return stepped;
  let { message } = stepped.form;
  if (event.type === "enter" && offered?.does === "mark") {
    const name = listName(offered.voter);
    const question =
      context.marks.get(offered.voter.voterId)?.state === "signed"
        ? `${name} has already signed. Press Enter to enter a duplicate, or choose another voter.`
        : `Is it ${name}? Press Enter to confirm.`;
    const text = `Line ${form.line}: ${context.format.number(context.total)} voters match. ${question}`;
    message = { text, wrong: true };
  }
  return { form: { ...stepped.form, message, openQuestion: { keys: 0, isSeen: false, isTyping: false } }, effects: [] };
}

function answered(form: EntryForm, end: LineEnd, context: EntryContext): Step {
  const alone = { ...form, end: null };
  const offered = currentOffer(alone, context);
  if (hasNames(alone) && offered.does === "wait") return { form, effects: [] };
  const needsVoter = end.type === "enter" || withVoter.has(end.verdict);
  const isCertain =
    end.type === "enter"
      ? isMeant(alone, offered, context)
      : offered.does !== "accept" || isMeant(alone, offered, context);
  if (needsVoter && !isCertain)
    return stop(form, whyNotStored(offered, context), offered.does === "no-match" ? { noMatch: true } : {});
  const { form: after, effects } = reduceEntry(alone, end, context);
  if (effects.length === 0) return stop(form, after.message?.text ?? "", after.message ?? {});
  return { form: after, effects: effects.filter(({ type }) => type !== "focus") }; // the clerk keeps typing, in any field
}

/** Whether the voter is written exactly as typed and in the districts, or was marked on the screen. */
function isMeant({ marked, fields }: EntryForm, offered: Offer, { marks, districts }: EntryContext): boolean {
  if (offered.does !== "accept" || marks.get(offered.voter.voterId)?.state !== "not-signed") return false;
  const { voter } = offered;
  const isCertain = isExactVoter(voter, fields) && !isOutside(voter, districts);
  return marked === voter || fields.voterId === voter.voterId || isCertain;
}

function whyNotStored(offered: Offer, { total }: EntryContext): string {
  switch (offered.does) {
    case "accept":
      return `Only ${listName(offered.voter)} matches. Is that right?`;
    case "duplicate":
      return `${listName(offered.voter)} has already signed. Enter the line as a duplicate?`;
    case "mark":
      return `${total} voters match. Select one.`;
    case "save-typed":
      return "Voter search isn't responding. Save this line and look it up later?";
    case "nothing":
      return offered.reason;
    case "no-match":
      return "";
    default:
      return "Check the line, then press Enter.";
  }
}

/** Stops without storing anything. The clerk types on, or goes back to the line. */
function stop(form: EntryForm, reason: string, more: Partial<EntryForm["message"]> = {}): Step {
  const message = { ...more, text: `Line ${form.line}: ${reason}`, wrong: true };
  const isTyping = form.ahead.slice(-1).some(hasNames);
  const openQuestion = { keys: namesAhead(form).length, isSeen: false, isTyping };
  return { form: { ...form, end: null, openQuestion, message }, effects: isTyping ? [] : [{ type: "focus-back" }] };
}
