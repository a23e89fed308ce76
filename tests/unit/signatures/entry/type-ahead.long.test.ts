import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EntryContext, type EntryForm, emptyForm, hasNames } from "@/lib/signatures/entry/entry-form";
import type { ShownLine } from "@/lib/signatures/entry/shown-lines";
import { type EntryEvent, reduceEntry } from "@/lib/signatures/entry/step";
import { ignoresTab, namesAhead, reduceWithTypeAhead, typedFields } from "@/lib/signatures/entry/type-ahead";
import { emptyFields } from "@/lib/voters/voter-query";
import { firstNames, listName } from "@/lib/voters/voter-text";
import { inDrill } from "../../../support/in-drill.ts";
import { idleContext, matching, signed } from "./hasty-clerk.ts";

const fields = ["lastName", "firstName", "houseNumber"] as const;
type Typed = readonly [
  lastName: string,
  firstName: string,
  houseNumber: string,
  verdict?: "not-registered" | "illegible",
];
type Times = { gaps: readonly number[]; enterGaps?: readonly number[]; latencies: readonly number[] };
type Stored = { line: number; verdict: string; voterId: string | null };
const pauseMs = 600;

/**
 * Types lines without looking, each with Tabs and Enter, or a verdict. The times are in ms, used in turn: the gaps before
 * keys, those before Enters, and the latencies of answers.
 */
function type(lines: readonly Typed[], { gaps, enterGaps = gaps, latencies }: Times, decide = reduceWithTypeAhead) {
  let form: EntryForm = { ...emptyForm, sheet: 12, line: 1 };
  const entered = new Map<number, ShownLine>();
  const stored: Stored[] = [];
  let context: EntryContext = { ...idleContext, lines: entered };
  let answers: { at: number; run: () => void }[] = [];
  let now = 0;
  let requests = 0;
  let askedAt = 0;
  let at = 0; // the field with the focus
  let focusedBefore = 0; // before the last name got it
  const latency = () => latencies[requests++ % latencies.length] ?? 0;
  const dispatch = (event: EntryEvent) => {
    const before = form;
    const { form: after, effects } = decide(before, event, context);
    form = after;
    if (after.openQuestion !== before.openQuestion) askedAt = now;
    for (const effect of effects) {
      if (effect.type === "focus") [focusedBefore, at] = [at, 0];
      if (effect.type === "focus-back") at = focusedBefore;
      if (effect.type !== "record" || effect.change.kind !== "line") continue;
      const { line, verdict, voterId } = effect.change;
      stored.push({ line, verdict, voterId });
      entered.set(line, { line, mine: true, state: verdict } as ShownLine);
    }
    if (before.fields !== after.fields) search();
    else if (effects.some(({ type }) => type === "search")) search();
  };
  const search = () => {
    context = { ...context, isSearching: hasNames(form), ...(!hasNames(form) && { voters: [], total: 0 }) };
    answers = [];
    if (!hasNames(form)) return;
    const { fields } = form;
    const run = () => {
      const voters = matching(fields);
      context = { ...context, isSearching: false, voters, total: voters.length, marks: new Map() };
      const marks = new Map(
        voters.map(({ voterId }) => [
          voterId,
          signed.has(voterId) || stored.some((one) => one.voterId === voterId)
            ? ({ state: "signed", at: null } as const)
            : ({ state: "not-signed" } as const),
        ]),
      );
      answers = [{ at: now + latency(), run: () => (context = { ...context, marks }) }];
    };
    answers = [{ at: now + latency(), run }];
  };
  const pass = (until: number) => {
    for (;;) {
      while (form.end && !hasNames(form)) dispatch({ type: "answered" });
      const [answer] = answers;
      const pauseAt =
        form.openQuestion === null || form.openQuestion.isSeen ? Number.POSITIVE_INFINITY : askedAt + pauseMs;
      if (Math.min(pauseAt, answer?.at ?? Number.POSITIVE_INFINITY) > until) break;
      if (pauseAt < (answer?.at ?? Number.POSITIVE_INFINITY)) {
        now = pauseAt;
        dispatch({ type: "pause" });
      } else if (answer) {
        now = answer.at;
        answers = [];
        answer.run();
      }
      if (form.end) dispatch({ type: "answered" });
    }
    now = until;
  };
  let keys = 0;
  const press = (act: () => void, times = gaps) => {
    pass(now + (times[keys++ % times.length] ?? 0));
    act();
  };
  for (const line of lines) {
    const [lastName, firstName, houseNumber, verdict] = line;
    for (const [index, text] of (verdict === "illegible" ? [] : [lastName, firstName, houseNumber]).entries()) {
      if (index > 0) {
        press(() => {
          const isLost = ignoresTab(form);
          dispatch({ type: "tab" });
          if (!isLost) at = (at + 1) % fields.length;
        });
      }
      for (const letter of text) {
        press(() => {
          const field = fields[at] ?? "lastName";
          dispatch({ type: "typed", field, text: typedFields(form)[field] + letter });
        });
      }
    }
    press(() => {
      // Pauses if lines wait behind the question.
      if (verdict && form.openQuestion && form.ahead.some(({ end }) => end !== null)) pass(now + pauseMs);
      dispatch(verdict ? { type: "verdict", verdict } : { type: "enter" });
    }, enterGaps);
  }
  const settle = () => pass(now + 60_000); // longer than every line's two answers, one after the other
  settle();
  const typedOn = form;
  // Then the clerk looks, and enters each line that waits as illegible.
  const answer = (event: EntryEvent) => {
    for (const one of [{ type: "look" } as const, event, { type: "look" } as const]) dispatch(one);
    settle();
  };
  for (let times = 0; times < 2 * lines.length && hasNames(form); times += 1) {
    answer({ type: "verdict", verdict: "illegible" });
  }
  return { stored, form: typedOn, after: form };
}

const sure: Typed[] = [
  ["smith", "ada", "340"],
  ["Smithson", "Lee", ""],
  ["nguyen", "linh", "9"],
  ["smyth", "ada", ""],
  ["smythe", "lee", "88"],
  ["kim", "mei hye-jin", "840"],
];
// Namesakes, a beginning, someone who has signed, no one, only a last name, a voter as not registered, and an illegible line.
const unsure: Typed[] = [
  ["smith", "ada", "12"],
  ["smi", "", ""],
  ["rivera", "ana", "5"],
  ["zz", "q", ""],
  ["nguyen", "", ""],
  ["smythe", "lee", "88", "not-registered"],
  ["", "", "", "illegible"],
];
const voterOf = ([lastName, firstName, houseNumber]: Typed) =>
  matching({ lastName, firstName, houseNumber }).filter(
    (voter) =>
      sameText(voter.lastName, lastName) &&
      (sameText(voter.firstName, firstName) || sameText(firstNames(voter), firstName)),
  );
const sameText = (a: string | undefined, b: string) => a?.toLowerCase() === b.toLowerCase();

const brief = fc.integer({ min: 0, max: 300 });
const pause = fc.integer({ min: pauseMs, max: 2_000 });
const times = { minLength: 1, maxLength: 40 };
const script = fc.record({
  before: fc.shuffledSubarray(sure),
  odd: fc.constantFrom(...unsure),
  more: fc.shuffledSubarray([...sure, ...unsure]),
  // Some gaps are long enough to see the screen, except right before an Enter, which would then answer the question.
  gaps: fc.array(fc.oneof({ weight: 4, arbitrary: brief }, { weight: 1, arbitrary: pause }), times),
  enterGaps: fc.array(brief, times),
  latencies: fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 1, maxLength: 20 }),
});

const holds = (decide: typeof reduceWithTypeAhead) =>
  fc.property(script, ({ before, odd, more, ...times }) => {
    const lines = [...before, odd, ...more];
    const { stored, form, after } = type(lines, times, decide);
    // All before the first doubtful line are stored as they are on paper, at any speed.
    expect(stored.slice(0, before.length)).toEqual(
      before.map((line, index) => ({ line: index + 1, verdict: "accepted", voterId: voterOf(line)[0]?.voterId })),
    );
    // After it only what the screen had offered for that line, or what the clerk chose.
    for (const { line, voterId, verdict } of stored.slice(before.length)) {
      const [lastName, firstName, houseNumber, typed] = lines[line - 1] ?? ["?", "", ""];
      if (typed === "illegible") expect([verdict, voterId]).toEqual(["illegible", null]);
      if (verdict === "illegible") continue;
      const meant = matching({ lastName, firstName, houseNumber });
      if (verdict === "not-registered") {
        expect(meant.every((voter) => stored.some((one) => one.line < line && one.voterId === voter.voterId))).toBe(
          true,
        );
        continue;
      }
      expect(meant.map((voter) => voter.voterId)).toContain(voterId);
      if (verdict === "accepted") expect(meant).toHaveLength(1);
    }
    // Whatever isn't stored waits as it was typed: the line with a question, and all after it.
    const waiting = [form, ...form.ahead].filter((one) => hasNames(one) || one.end !== null);
    expect(waiting.map((one) => fields.map((field) => one.fields[field]))).toEqual(
      lines.slice((form.line ?? 0) - 1).map((line) => line.slice(0, 3)),
    );
    // Each is entered on its own line, once those before it are.
    expect(stored.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 1));
    expect(after.ahead.filter(hasNames)).toEqual([]);
  });

it("keys at any speed store what was typed, line by line, until the first line that isn't certain", {
  timeout: 120_000,
}, () => {
  fc.assert(holds(reduceWithTypeAhead), { numRuns: inDrill(20_000, { else: 500 }) });
});

it("fails with each part of it missing", () => {
  const broken: (typeof reduceWithTypeAhead)[] = [
    reduceEntry, // without the buffer
    // Takes the first of several.
    (form, event, context) =>
      reduceWithTypeAhead({ ...form, marked: form.end ? (context.voters[0] ?? null) : form.marked }, event, context),
    // Types on at once, or after a pause.
    (form, event, context) => reduceWithTypeAhead({ ...form, openQuestion: null }, event, context),
    (form, event, context) =>
      reduceWithTypeAhead(event.type === "pause" ? { ...form, openQuestion: null } : form, event, context),
    // Doesn't ask about a verdict.
    (form, event, context) =>
      reduceWithTypeAhead({ ...form, message: { text: "", asks: "not-registered" } }, event, context),
    // Holds only what waited for the search.
    (form, event, context) => {
      const { form: after, effects } = reduceWithTypeAhead(form, event, context);
      return { form: form.end || form.openQuestion ? after : { ...after, openQuestion: null }, effects };
    },
    // Drops what was typed after the line.
    (form, event, context) => {
      const { form: after, effects } = reduceWithTypeAhead(form, event, context);
      return { form: after.openQuestion ? { ...after, ahead: [] } : after, effects };
    },
  ];
  const found = broken.map((decide) => fc.check(holds(decide), { numRuns: 2_000, seed: 1 }).failed);
  expect(found).toEqual(broken.map(() => true));
});

it("says why it stopped, and keeps the line and what was typed after it", () => {
  const lines: Typed[] = [
    ["smi", "", ""],
    ["nguyen", "linh", ""],
  ];
  const { stored, form } = type(lines, { gaps: [1], latencies: [500] });
  expect(stored).toMatchObject([{ verdict: "illegible" }, { verdict: "accepted", voterId: "WA-7" }]);
  expect([form.fields.lastName, form.openQuestion?.isSeen, namesAhead(form)]).toEqual(["smi", true, ["nguyen, linh"]]);
  expect(form.message?.text).toBe("Line 1: 5 voters match. Select one.");
});

describe("a line that waits with a question", () => {
  const smiths = matching({ lastName: "smith", firstName: "ada", houseNumber: "12" });
  const context: EntryContext = {
    ...idleContext,
    voters: smiths,
    total: smiths.length,
    marks: new Map(smiths.map(({ voterId }) => [voterId, { state: "not-signed" }])),
  };
  const typed = { ...emptyFields, lastName: "smith", firstName: "ada" };
  const formAfter = (...events: EntryEvent[]) => {
    let form: EntryForm = { ...emptyForm, sheet: 12, line: 1, fields: typed };
    const recorded: unknown[] = [];
    for (const event of [{ type: "enter" } as const, ...events]) {
      const { form: next, effects } = reduceWithTypeAhead(form, event, context);
      form = next;
      recorded.push(...effects.filter(({ type }) => type === "record"));
    }
    const { message, openQuestion, marked, fields } = form;
    const text = message?.text;
    return {
      text,
      keys: openQuestion?.keys ?? null,
      marked: marked?.voterId,
      fields,
      ahead: namesAhead(form),
      form,
      recorded,
    };
  };
  const letter = { type: "typed", field: "firstName", text: "adak" } as const;
  const typing = (text: string) => ({ type: "typed", field: "lastName", text }) as const;
  const [name] = smiths.map(listName);
  const question = `Line 1: ${smiths.length} voters match. Is it ${name}? Press Enter to confirm.`;
  const asked = { text: question, marked: "WA-0", fields: typed, recorded: [] };

  it("says that Enter enters a duplicate if the first voter has already signed", () => {
    const marks = new Map([["WA-0", { state: "signed", at: null } as const]]);
    const form = { ...emptyForm, sheet: 12, line: 1, fields: typed };
    const { message } = reduceWithTypeAhead(form, { type: "enter" }, { ...context, marks }).form;
    const warning = `${name} has already signed. Press Enter to enter a duplicate, or choose another voter.`;
    expect(message?.text).toBe(`Line 1: ${smiths.length} voters match. ${warning}`);
  });

  it("stays as it is while the next lines are typed, before and after a pause", () => {
    expect(formAfter()).toMatchObject({ ...asked, keys: 0 });
    const next = [letter, typing("kent"), { type: "tab" }, { type: "enter" }] as const;
    const afterOne = { ...asked, ahead: ["kent"] };
    expect(formAfter(...next)).toMatchObject(afterOne);
    expect(formAfter({ type: "pause" }, ...next)).toMatchObject(afterOne);
    expect(formAfter(...next, typing("lee"), { type: "pause" }, { type: "enter" })).toMatchObject({
      ...asked,
      ahead: ["kent", "lee"],
    });
  });

  it("keeps a verdict for the next line, and ignores Tab and Enter before it could be seen", () => {
    const blank = { type: "verdict", verdict: "blank" } as const;
    expect(formAfter(blank, typing("k"))).toMatchObject({ ...asked, ahead: ["blank", "k"] });
    expect(formAfter({ type: "tab" }, { type: "enter" })).toMatchObject({ ...asked, keys: 2, ahead: [] });
  });

  it("keeps a verdict for the line after those that wait, after a pause too, until the clerk goes back", () => {
    const verdict = { type: "verdict", verdict: "illegible" } as const;
    const next = [letter, { type: "enter" }, { type: "pause" }, verdict] as const;
    expect(formAfter(...next, typing("le"))).toMatchObject({ ...asked, ahead: ["k", "illegible", "le"] });
    expect(formAfter(...next, { type: "pause" }, verdict)).toMatchObject({
      ...asked,
      ahead: ["k", "illegible", "illegible"],
    });
    expect(formAfter(letter, typing(""), { type: "pause" }, verdict)).toMatchObject({ ...asked, ahead: ["illegible"] });
    expect(formAfter(...next, { type: "clear" }, verdict).recorded).toMatchObject([
      { change: { verdict: "illegible", line: 1 } },
    ]);
  });

  it("asks about a verdict for a voter in the list, as soon as they are found, and takes it again after a pause", () => {
    const verdict = { type: "verdict", verdict: "not-registered" } as const;
    const press = (form: EntryForm, event: EntryEvent, at = context) => reduceWithTypeAhead(form, event, at);
    const text = "Smith, Ada is registered and hasn't signed. Press again to mark it not registered.";
    const form = { ...emptyForm, sheet: 12, line: 1, fields: typed };
    const asked = press(form, verdict);
    expect([asked.form.message?.text, asked.effects]).toEqual([text, []]);
    const early = press(asked.form, verdict);
    expect([early.form.fields, early.effects.filter(({ type }) => type === "record")]).toEqual([typed, []]);
    const searching = press(form, verdict, { ...context, isSearching: true });
    const found = press(searching.form, { type: "answered" });
    expect(found.form.message?.text).toBe(`Line 1: ${text}`);
    for (const { form } of [asked, found]) {
      const { effects } = press(press(form, { type: "pause" }).form, verdict);
      expect(effects).toMatchObject([{ change: { verdict: "not-registered", line: 1 } }, { type: "focus" }]);
    }
  });

  it("takes Enter after a pause as the answer, and the next line follows", () => {
    expect(formAfter({ type: "pause" }, { type: "enter" }).recorded).toHaveLength(1);
    const { recorded, form } = formAfter(letter, { type: "enter" }, typing("le"), { type: "look" }, { type: "enter" });
    expect([recorded.length, form.line, form.fields.lastName, form.end, typedFields(form).lastName]).toEqual([
      1,
      2,
      "k",
      { type: "enter" },
      "le",
    ]);
  });

  it("stays empty when it is cleared, and leaves the next line in the form, not entered, when it is cleared again", () => {
    const clear = { type: "clear" } as const;
    const back = formAfter(letter, { type: "enter" }, clear);
    expect(back).toMatchObject({ fields: typed, ahead: ["k"], keys: null, recorded: [] });
    const cleared = formAfter(letter, { type: "enter" }, clear, clear);
    expect(cleared).toMatchObject({ fields: { lastName: "" }, ahead: ["k"], recorded: [] });
    const { form, recorded } = formAfter(letter, { type: "enter" }, clear, clear, clear);
    expect([recorded, form.line, form.fields.lastName, form.fields.firstName, form.end]).toEqual([
      [],
      1,
      "k",
      "",
      null,
    ]);
  });

  it.each<[string, EntryEvent, object]>([
    ["Esc, which clears nothing then", { type: "clear" }, { fields: typed }],
    ["an arrow key", { type: "move", by: 1 }, { fields: typed, marked: "WA-1" }],
    ["a click", { type: "look" }, { fields: typed }],
  ])("goes back to editing with %s", (_what, event, expected) => {
    expect(formAfter(letter, event)).toMatchObject({ ...expected, keys: null, recorded: [], ahead: ["k"] });
    const next = { type: "typed", field: "firstName", text: "adam" } as const;
    expect(formAfter(letter, event, next).fields.firstName).toBe("adam");
  });

  it("goes back to editing with Tab after a pause, and with a deletion", () => {
    expect(formAfter({ type: "pause" }, { type: "tab" })).toMatchObject({ keys: null, recorded: [] });
    expect(formAfter({ type: "typed", field: "lastName", text: "smit" })).toMatchObject({
      keys: null,
      fields: { ...typed, lastName: "smit" },
    });
  });
});
