import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { type EntryContext, type EntryForm, emptyForm, hasNames } from "@/lib/signatures/entry/entry-form";
import { markedIndex } from "@/lib/signatures/entry/marked-voter";
import { currentOffer } from "@/lib/signatures/entry/offer";
import type { ShownLine } from "@/lib/signatures/entry/shown-lines";
import { type EntryEffect, type EntryEvent, reduceEntry } from "@/lib/signatures/entry/step";
import type { SignedMark } from "@/lib/signatures/signed-mark";
import { rejections } from "@/lib/signatures/verdicts";
import type { Voter } from "@/lib/voters/read-hit";
import { emptyFields } from "@/lib/voters/voter-query";
import { idleContext } from "./hasty-clerk.ts";

const ada: Voter = {
  voterId: "WA-1",
  firstName: "Ada",
  middleName: "M.",
  lastName: "Smith",
  houseNumber: "12",
  street: "Oak St",
  unit: "4",
  city: "Kent",
  county: "King",
  zip: "98030",
};
const adam: Voter = { voterId: "WA-2", firstName: "Adam", lastName: "Smith", houseNumber: "7" };
const lee: Voter = { voterId: "WA-3", firstName: "Lee", lastName: "Smithson", houseNumber: "88" };
const notSigned: SignedMark = { state: "not-signed" };
const signed: SignedMark = {
  state: "signed",
  at: { ownTeam: true, enteredBy: "Jun Park", sheet: 3, line: 9 },
};
const marksOf = (mark: SignedMark | null) =>
  new Map(mark ? [ada, adam, lee].map(({ voterId }) => [voterId, mark] as const) : []);

const linesAt = (...numbers: number[]) =>
  new Map(
    numbers.map((line): [number, ShownLine] => [
      line,
      {
        id: `line-${line}`,
        sheet: 12,
        line,
        voterId: null,
        name: "Okafor, Ben",
        state: "accepted",
        stateText: "accepted",
        stored: true,
        enteredBy: "Rosa",
        mine: true,
        enteredAt: "2026-11-03T12:00:00Z",
      },
    ]),
  );
const full = linesAt(...Array.from({ length: 20 }, (_, index) => index + 1));
const butFour = new Map([...full].filter(([line]) => line !== 4));

const idle: EntryContext = { ...idleContext, lines: linesAt(1, 2, 3) };
const found = (...voters: Voter[]): EntryContext => ({
  ...idle,
  voters,
  total: voters.length,
  marks: marksOf(notSigned),
});
const blank: EntryForm = { ...emptyForm, sheet: 12, line: 4 };
const places = { city: "Kent", zip: "98030", county: "King" };
const smith: EntryForm = { ...blank, fields: { ...emptyFields, ...places, lastName: " smith " } };
const whole: EntryForm = { ...smith, fields: { ...smith.fields, firstName: "ada", houseNumber: "12" } };

const noVoter = { voterId: null, firstName: null, lastName: null, address: null, city: null, county: null, zip: null };
const focus: EntryEffect = { type: "focus" };
const paper = { sheet: 12, line: 4, signedOn: null };
const noNames = { ...smith.fields, lastName: "" };

/** Situations in which a key can be pressed: `all` of them, or fewer for tests of many keys. */
function situations({ all = false } = {}): { form: EntryForm; context: EntryContext }[] {
  const last = { id: "line-3", sheet: 12, line: 3, name: "Okafor, Ben" };
  const places = [
    [null, 1],
    [12, 4],
    [12, 3],
    [12, null],
    [12, 25],
  ] as const;
  const searches = [
    { isSearching: false, searchDown: false },
    { isSearching: true, searchDown: false },
    { isSearching: false, searchDown: true },
  ];
  const lists = [
    { voters: [], total: 0 },
    { voters: [ada], total: 1 },
    { voters: [ada], total: 9 },
    { voters: [ada, adam], total: 2 },
    { voters: [ada, { ...ada, voterId: "WA-9" }], total: 2 },
    ...(all ? [{ voters: [ada, adam], total: 312 }] : []),
    ...(all ? [{ voters: [ada, { ...ada, voterId: "WA-9", houseNumber: "340" }], total: 2 }] : []),
  ];
  const fields = [noNames, smith.fields, whole.fields];
  const more = [
    { ...whole.fields, lastName: "SMÍTH" },
    { ...whole.fields, houseNumber: " " },
  ];
  const forms = [...fields, ...(all ? more : [])].flatMap((fields) =>
    places.flatMap(([sheet, line]) =>
      [null, "x"].map((unsavedId) => ({ ...emptyForm, fields, sheet, line, unsavedId, confirmedLine: 25 })),
    ),
  );
  const marks: (SignedMark | null)[] = [null, notSigned, signed];
  if (all) marks.push({ state: "signed", at: null, isLoading: true }, { state: "unchecked" });
  const contexts = [idle.lines, full, ...(all ? [butFour] : [])].flatMap((lines) =>
    searches.flatMap((search) =>
      lists.flatMap((list) =>
        marks.map((mark) => ({ ...idle, ...search, ...list, lines, last, marks: marksOf(mark) })),
      ),
    ),
  );
  const byHand = ({ voters: [first, second] }: EntryContext) => [
    ...(first ? [first] : []),
    ...(all && first ? [{ ...first }] : []), // the same one, found again
    ...(all && second ? [second] : []),
  ];
  return forms.flatMap((form) =>
    contexts.flatMap((context) => [
      { form, context },
      ...byHand(context).map((marked) => ({ form: { ...form, marked }, context })),
    ]),
  );
}

// The rules, written a second time.
const namesOf = ({ fields }: EntryForm) =>
  [fields.lastName, fields.firstName, fields.houseNumber].map((text) => text.trim());
const isTyped = (form: EntryForm) => namesOf(form).some((text) => text !== "");
const nextEmpty = ({ line }: EntryForm, { lines }: EntryContext) => {
  const empty = [...Array(20).keys()].map((at) => at + 1).filter((at) => !lines.has(at));
  return empty.find((at) => at > (line ?? 0)) ?? empty[0];
};

/** Why no line can be stored here. */
function expectedObstacle(form: EntryForm, context: EntryContext): string | null {
  const { sheet, line, unsavedId } = form;
  if (sheet === null) return "Start a sheet first.";
  if (unsavedId !== null) return "The line in the form is still being sent.";
  if (line === null) return "Sheet 12 has no empty lines left. Close it, or select a line to change.";
  if (!context.lines.has(line)) return null;
  const text = `You already entered Okafor, Ben on line ${line} (accepted).`;
  return `${text} ${nextEmpty(form, context) === undefined ? "No lines are empty." : "Go to an empty line."}`;
}

/** The marked voter: by hand, as the only one, or as the only one with exactly this name and house number. */
function expectedMarked(form: EntryForm, { voters, total }: EntryContext): Voter | undefined {
  const typed = namesOf(form).join().toLowerCase().replace("í", "i");
  const exact = voters.filter((one) => [one.lastName, one.firstName, one.houseNumber].join().toLowerCase() === typed);
  const isOnly = total === 1 || (total === voters.length && exact.length === 1);
  return voters.find((one) => one === form.marked) ?? (isOnly ? (exact[0] ?? voters[0]) : undefined);
}

/** What Enter must do. */
function expectedOffer(form: EntryForm, context: EntryContext): object {
  const { sheet, line, unsavedId } = form;
  const { voters } = context;
  const nothing = (reason: string) => ({ does: "nothing", reason });
  if (sheet !== null && unsavedId === null && !isTyped(form) && (line === null || context.lines.has(line))) {
    const next = nextEmpty(form, context);
    return line === null || next === undefined ? { does: "close" } : { does: "go", line: next };
  }
  const obstacle = expectedObstacle(form, context);
  if (obstacle !== null) return nothing(obstacle);
  if (!isTyped(form)) return nothing("Type the last name on the line.");
  if (context.searchDown) return { does: "save-typed" };
  if (context.isSearching) return { does: "wait", for: "voters" };
  if (voters.length === 0) return { does: "no-match" };
  const voter = expectedMarked(form, context);
  if (!voter) return { does: "mark", voter: voters[0], index: 0 };
  const mark = context.marks.get(voter.voterId);
  if (!mark || ("isLoading" in mark && mark.isLoading)) return { does: "wait", for: "marks", voter };
  const marked = { voter, index: voters.indexOf(voter) };
  return mark.state === "signed" ? { does: "duplicate", ...marked, at: mark.at } : { does: "accept", ...marked };
}

const verdicts = [...rejections, "blank"] as const;
type Stored = (typeof verdicts)[number];

/** The voter of a verdict, or why it doesn't fit the typed text. */
function expectedVerdict(verdict: Stored, form: EntryForm, context: EntryContext): { voter?: Voter; why?: string } {
  if (verdict === "blank" && isTyped(form)) {
    return { why: "Clear what you typed, then mark the line blank." };
  }
  if ((verdict === "not-found" || verdict === "not-registered") && !isTyped(form)) {
    return { why: "Type the name first, so you can find this line later." };
  }
  if (!["duplicate", "out-of-district", "outside-dates", "other", "wrong-address"].includes(verdict)) return {};
  const voter = context.isSearching || context.searchDown ? undefined : expectedMarked(form, context);
  if (verdict !== "duplicate") return { ...(voter && { voter }) };
  if (!voter) return { why: "Type the name, then select the voter who has already signed." };
  if (context.marks.get(voter.voterId)?.state !== "not-signed") return { voter };
  return { why: `${listNameOf(voter)} hasn't signed yet. Enter the line as valid instead.` };
}
/** The question before a verdict that the list contradicts. */
function expectedQuestion(verdict: Stored, form: EntryForm, context: EntryContext): string | null {
  if ((verdict !== "not-found" && verdict !== "not-registered") || context.isSearching || context.searchDown)
    return null;
  const typed = namesOf(form).join().toLowerCase();
  const voter = context.voters.find(({ lastName, firstName }) => typed === `${lastName},${firstName},12`.toLowerCase());
  if (!voter || context.marks.get(voter.voterId)?.state !== "not-signed") return null;
  const words = verdict === "not-found" ? "not found" : "not registered";
  return `${listNameOf(voter)} is registered and hasn't signed. Press again to mark it ${words}.`;
}
const fieldsOf = (voter: Voter) => {
  const { voterId, lastName = null, city = null, county = null, zip = null } = voter;
  const firstName = [voter.firstName, voter.middleName].filter(Boolean).join(" ") || null;
  const address = [voter.houseNumber, voter.street, voter.unit && `#${voter.unit}`].filter(Boolean).join(" ") || null;
  return { voterId, firstName, lastName, address, city, county, zip };
};
const listNameOf = ({ voterId }: Voter) => (voterId === "WA-2" ? "Smith, Adam" : "Smith, Ada M.");

/** Fails unless both are equal; `toEqual` alone is too slow for thousands of situations. */
function expectEqual(found: unknown, expected: unknown) {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

describe("in every situation", () => {
  const each = situations();

  it("Enter does what it must, and announces it", () => {
    for (const { form, context } of situations({ all: true })) {
      expectEqual(currentOffer(form, context), expectedOffer(form, context));
    }
  });

  it("Enter does what is offered", () => {
    const seen = new Set<string>();
    for (const { form, context } of each) {
      const offered = currentOffer(form, context);
      seen.add(offered.does);
      const { form: after, effects } = reduceEntry(form, { type: "enter" }, context);
      const records = effects.flatMap((effect) => (effect.type === "record" ? [effect.change] : []));
      switch (offered.does) {
        case "accept":
          expect(records).toMatchObject([{ verdict: "accepted", voterId: offered.voter.voterId, line: form.line }]);
          break;
        case "duplicate":
          expect(records).toMatchObject([
            { kind: "line", verdict: "duplicate", voterId: offered.voter.voterId, line: form.line },
          ]);
          break;
        case "save-typed":
          expect(records).toMatchObject([{ kind: "typed", lastName: "smith", line: form.line }]);
          break;
        case "mark":
          expect([after.marked, effects]).toEqual([offered.voter, []]);
          expect(offered.voter).toBe(context.voters[offered.index]);
          expect(currentOffer(after, context).does).not.toBe("mark"); // a second Enter continues
          break;
        case "go":
          expect([after, effects]).toEqual([{ ...form, line: offered.line, marked: null, message: null }, [focus]]);
          expect(context.lines.has(offered.line)).toBe(false);
          break;
        case "close":
        case "reopen":
          expect([after, effects]).toEqual([form, [{ type: "report" }]]);
          break;
        case "wait": {
          const searches = offered.for === "voters" ? [{ type: "search" }] : [];
          expect([{ ...after, message: null }, effects]).toEqual([form, searches]);
          break;
        }
        case "no-match":
          expect([after, effects]).toEqual([{ ...form, message: { text: "", wrong: true, noMatch: true } }, []]);
          break;
        case "nothing":
          expect([after, effects]).toEqual([
            { ...form, message: { text: offered.reason, wrong: true } },
            offered.reason === "Type the last name on the line." ? [focus] : [],
          ]);
      }
    }
    expect([...seen].sort()).toEqual([
      "accept",
      "close",
      "duplicate",
      "go",
      "mark",
      "no-match",
      "nothing",
      "save-typed",
      "wait",
    ]);
  });

  it("a verdict is stored where it fits, with the typed text or the marked voter, and otherwise says why not", () => {
    const given: [verdict: Stored, note: string | null][] = verdicts.map((verdict) => [verdict, null]);
    for (const { form: drawn, context } of each) {
      const form = { ...drawn, signedOn: "2026-08-01" };
      for (const [verdict, note] of [...given, ["other", "torn"] as const]) {
        const event: EntryEvent = note === null ? { type: "verdict", verdict } : { type: "reason", note };
        let { form: after, effects } = reduceEntry(form, event, context);
        const { voter, why = null } = expectedVerdict(verdict, form, context);
        const problem = expectedObstacle(form, context) ?? why;
        if (problem !== null) {
          expectEqual([after, effects], [{ ...form, message: { text: problem, wrong: true } }, []]);
        } else if (verdict === "other" && note === null) {
          expectEqual([after, effects], [form, [{ type: "ask-reason" }]]);
        } else {
          const question = expectedQuestion(verdict, form, context);
          if (question !== null) {
            const message = { text: question, wrong: true, asks: verdict };
            expectEqual([after, effects], [{ ...form, message }, []]);
            ({ form: after, effects } = reduceEntry(after, event, context));
          }
          const name = voter ? listNameOf(voter) : namesOf(form).filter(Boolean).join(", ") || null;
          const { sheet, line, signedOn } = form;
          const [lastName = "", firstName = "", houseNumber = ""] = namesOf(form).map((text) => text || null);
          const typed = { ...noVoter, lastName, firstName, address: houseNumber };
          const of = { kind: "line", verdict, ...(voter ? fieldsOf(voter) : typed), name, note };
          const change = { ...of, sheet, line, signedOn: verdict === "blank" ? null : signedOn };
          expectEqual(effects, [{ type: "record", change }, focus]);
        }
      }
    }
  });

  const events: EntryEvent[] = [
    ...verdicts.map((verdict) => ({ type: "verdict", verdict }) as const),
    { type: "enter" },
    { type: "reason", note: "torn" },
    { type: "correct" },
    { type: "redo" },
    { type: "typed", field: "lastName", text: "d" },
    { type: "day", signedOn: "2026-11-01" },
    { type: "place-done" },
    { type: "confirm-line", line: 9 },
    { type: "move", by: 1 },
    { type: "move", by: -1 },
    { type: "mark", index: 0 },
    { type: "clear" },
    { type: "turn", by: 1 },
    { type: "go", line: 9 },
    { type: "line", line: 9 },
    { type: "sheet" },
    { type: "begin", sheet: 13, line: 1, text: null },
    { type: "put-back", sheet: 11, line: 1, signedOn: "", fields: {} },
    { type: "released", arrived: true },
    { type: "message", text: "Hello." },
  ];
  it("only Enter, a verdict or its reason stores a line: one, at the form's place, if that is empty", () => {
    const stores = new Set<string>();
    for (const { form, context } of each) {
      for (const event of events) {
        const { effects, form: after } = reduceEntry(form, event, context);
        const records = effects.flatMap((effect) => (effect.type === "record" ? [effect.change] : []));
        if (records.length > 1) expect(records).toHaveLength(1);
        for (const change of records) {
          stores.add(event.type);
          expect(change).toMatchObject({ sheet: form.sheet, line: form.line });
          expect([form.sheet, form.line, form.unsavedId]).toEqual([expect.any(Number), expect.any(Number), null]);
          expect(context.lines.has(form.line ?? 0)).toBe(false);
          // The form is ready for another line.
          expect([hasNames(after), after.marked, after.resumeAt]).toEqual([false, null, null]);
          expect([after.sheet, after.line]).not.toEqual([form.sheet, form.line]);
        }
      }
    }
    // A line to look up is only in the form: clearing it saves it as typed again.
    const lookedUp = { ...smith, resumeAt: { sheet: 12, line: 9, signedOn: "" } };
    const { form, effects } = reduceEntry(lookedUp, { type: "clear" }, idle);
    expect([form.line, hasNames(form), form.resumeAt]).toEqual([9, false, null]);
    expect(effects).toMatchObject([{ type: "record", change: { kind: "typed", line: smith.line } }, focus]);
    expect([...stores].sort()).toEqual(["enter", "reason", "verdict"]);
  });

  it("near matches change neither the mark nor what other events do", () => {
    const similar: Voter[] = [lee, { ...lee, voterId: "WA-4" }].map((voter) => ({ ...voter, match: "similar" }));
    for (const { form, context } of each) {
      const more = { ...context, similar };
      const at = markedIndex(form, context);
      expectEqual(markedIndex(form, more), at);
      const [before, now] = [currentOffer(form, context), currentOffer(form, more)];
      expectEqual(now, before);
      const { length } = context.voters;
      for (const event of events) {
        const [plain, other] = [reduceEntry(form, event, context), reduceEntry(form, event, more)];
        const moves = event.type === "move" || (event.type === "turn" && hasNames(form));
        const goesOn = moves && event.by === 1 && (at ?? -1) === length - 1;
        const isAmongThem = length === 0 && (event.type === "mark" || moves);
        if (goesOn || isAmongThem) {
          const isLast = moves && event.by === (event.type === "move" ? -1 : 1);
          expect(other.form.marked).toBe(isLast ? similar[1] : similar[0]);
        } else expectEqual(other, plain);
      }
    }
  });

  it("a near match is stored only when it was marked by hand", () => {
    const similar: Voter = { ...ada, match: "sounds like" };
    const context: EntryContext = { ...found(), similar: [similar], marks: marksOf(notSigned) };
    for (const form of [smith, whole]) {
      expect(currentOffer(form, context)).toEqual({ does: "no-match" });
      expect(reduceEntry(form, { type: "enter" }, context).form.marked).toBeNull();
      for (const event of [
        { type: "move", by: 1 },
        { type: "move", by: -1 },
        { type: "mark", index: 0 },
      ] as const) {
        const { form: after } = reduceEntry(form, event, context);
        expect(currentOffer(after, context)).toEqual({ does: "accept", voter: similar, index: 0 });
        expect(currentOffer(after, { ...context, marks: marksOf(null) })).toEqual({
          does: "wait",
          for: "marks",
          voter: similar,
        });
        expect(currentOffer(after, { ...context, marks: marksOf(signed) }).does).toBe("duplicate");
        expect(currentOffer(after, { ...context, similar: [{ ...similar }] }).does).toBe("no-match"); // found again
      }
    }
  });
});

describe("a stored line", () => {
  const stored = (form: EntryForm, context: EntryContext) => {
    const { form: after, effects } = reduceEntry(form, { type: "enter" }, context);
    return { change: effects.flatMap((effect) => (effect.type === "record" ? [effect.change] : []))[0], after };
  };

  it("has the voter of the file, and the form is ready for the next one", () => {
    const { change, after } = stored({ ...smith, signedOn: "2026-11-01" }, found(ada));
    expect(change).toEqual({
      kind: "line",
      verdict: "accepted",
      voterId: "WA-1",
      firstName: "Ada M.",
      lastName: "Smith",
      address: "12 Oak St #4",
      ...places,
      sheet: 12,
      line: 4,
      signedOn: "2026-11-01",
      name: "Smith, Ada M.",
      note: null,
    });
    expect(after).toEqual({
      ...blank,
      line: 5,
      signedOn: "2026-11-01",
      fields: { ...emptyFields, ...places },
      message: { text: "Line 4: valid – Smith, Ada M.", wrong: false },
    });
  });

  it("has empty fields for a voter with little data", () => {
    const context = { ...found({ voterId: "WA-7" }), marks: new Map([["WA-7", notSigned]]) };
    expect(stored(smith, context).change).toEqual({
      kind: "line",
      verdict: "accepted",
      ...noVoter,
      voterId: "WA-7",
      name: "",
      note: null,
      ...paper,
    });
  });

  it("says where a duplicate's first signature is", () => {
    const { change, after } = stored(smith, { ...found(ada), marks: marksOf(signed) });
    const duplicate = { kind: "line", verdict: "duplicate", ...fieldsOf(ada), name: "Smith, Ada M." };
    expect(change).toEqual({ ...duplicate, note: null, ...paper });
    const text = "Line 4: duplicate – Smith, Ada M. Already signed: sheet 3, line 9, entered by Jun Park.";
    expect(after.message).toEqual({ text, wrong: true });
  });

  it("has the typed text without a search", () => {
    const { change, after } = stored(whole, { ...idle, searchDown: true });
    expect(change).toEqual({ kind: "typed", lastName: "smith", firstName: "ada", houseNumber: "12", ...paper });
    expect(after.message?.text).toBe("Line 4: saved – smith, ada, 12. Look up the line when voter search works again.");
  });
});

describe("the next line", () => {
  it.each<[string, number, EntryContext["lines"], number | null]>([
    ["is the next empty one", 4, linesAt(5, 6), 7],
    ["is none when this was the last", 4, butFour, null],
    ["is on the sheet, after a line beyond it", 25, linesAt(1), 2],
  ])("%s", (_what, line, lines, next) => {
    const form = { ...smith, line, confirmedLine: line };
    expect(reduceEntry(form, { type: "verdict", verdict: "illegible" }, { ...idle, lines }).form.line).toBe(next);
  });

  it("resumes after looked-up lines, and asks for the next of these", () => {
    const resumeAt = { sheet: 8, line: 7, signedOn: "2026-11-01" };
    const { form, effects } = reduceEntry({ ...smith, resumeAt }, { type: "enter" }, found(ada));
    expect(form).toMatchObject({ ...resumeAt, resumeAt: null, fields: { lastName: "", city: "Kent" } });
    expect(effects.slice(1)).toEqual([{ type: "next-typed" }, focus]);
  });
});

describe("a correction", () => {
  const last = { id: "line-3", sheet: 12, line: 3, name: "Okafor, Ben" };
  const back: EntryEvent = { type: "put-back", sheet: 12, line: 3, signedOn: "", fields: { lastName: "smith" } };
  const corrected = reduceEntry(blank, { ...back, replaces: "line-3" }, idle).form;
  const replaced = { ...noVoter, kind: "line", verdict: "accepted", sheet: 12, line: 3, signedOn: null } as const;
  const correcting = { lines: linesAt(1, 2), replaced: { ...replaced, name: "Okafor, Ben", note: null } };
  const refusal = (form: EntryForm, context: EntryContext) => {
    const { form: after, effects } = reduceEntry(form, { type: "correct" }, context);
    return [after.message?.text, ...effects];
  };

  it("takes the chosen line, otherwise the last one, and stores nothing", () => {
    const context = { ...idle, last };
    const correct = (form: EntryForm) => reduceEntry(form, { type: "correct" }, context);
    expect(correct(blank)).toEqual({ form: blank, effects: [{ type: "correct", id: "line-3" }] });
    expect(correct({ ...blank, line: 2 }).effects).toEqual([{ type: "correct", id: "line-2" }]);
  });

  it("is refused without a line, over typed text, and of someone else's line", () => {
    expect(refusal(blank, idle)).toEqual(["No line to correct."]);
    expect(refusal(smith, { ...idle, last })).toEqual(["Enter this line first, or clear it."]);
    const theirs = new Map([...idle.lines].map(([line, one]) => [line, { ...one, mine: false, enteredBy: "Jun" }]));
    const text = "Jun entered this line. To correct it, open its history.";
    expect(refusal({ ...blank, line: 2 }, { ...idle, last, lines: theirs })).toEqual([text]);
  });

  it("takes back the line only together with the new one, and continues where the clerk was", () => {
    expect(corrected).toMatchObject({ line: 3, replaces: "line-3", resumeAt: { sheet: 12, line: 4 } });
    const { form, effects } = reduceEntry(corrected, { type: "enter" }, { ...found(ada), ...correcting });
    expect(effects).toMatchObject([
      { type: "record", change: { kind: "undo", of: "line-3" } },
      { type: "record", change: { kind: "line", voterId: "WA-1", sheet: 12, line: 3, replaces: "line-3" } },
      focus,
    ]);
    expect(form).toMatchObject({ line: 4, replaces: null, resumeAt: null });
    expect(reduceEntry({ ...blank, line: 2 }, { ...back, replaces: "line-2" }, idle).form.resumeAt?.line).toBe(4);
  });

  it("to another line number is a move, and the line that is empty now comes next", () => {
    const { form } = reduceEntry({ ...corrected, line: 4 }, { type: "enter" }, { ...found(ada), ...correcting });
    expect(form).toMatchObject({
      line: 3,
      resumeAt: null,
      message: { text: "Line 3 moved to line 4: valid – Smith, Ada M." },
    });
  });

  it("is dropped by Esc and by another sheet: the line stays as it was", () => {
    const { form, effects } = reduceEntry(corrected, { type: "clear" }, { ...idle, ...correcting });
    expect(form).toEqual({ ...blank, message: { text: "Sheet 12, line 3 wasn't changed." } });
    expect(effects).toEqual([focus]);
    expect(
      reduceEntry({ ...corrected, line: 9 }, { type: "clear" }, { ...idle, ...correcting }).form.message?.text,
    ).toContain("line 3 wasn't changed");
    const begun = reduceEntry(corrected, { type: "begin", sheet: 13, line: 1, text: null }, idle).form;
    expect([hasNames(begun), begun.replaces]).toEqual([false, null]);
    const { form: unsaved } = reduceEntry(blank, { type: "not-saved", id: "x", before: corrected }, idle);
    expect(unsaved.replaces).toBeNull(); // the undo is recorded already
  });
});

describe("something unusual", () => {
  it("asks before a voter of the campaign's districts is marked out of district", () => {
    const event = { type: "verdict", verdict: "out-of-district" } as const;
    const context = { ...found({ ...ada, district: "11" }), districts: "11, 34" };
    const asked = reduceEntry(whole, event, context);
    expect([asked.form.message?.text, asked.effects]).toEqual([
      "Smith, Ada M. lives in district 11. Press again to mark it out of district.",
      [],
    ]);
    expect(reduceEntry(asked.form, event, context).effects).toHaveLength(2);
    for (const districts of ["34", null]) {
      expect(reduceEntry(whole, event, { ...context, districts }).effects).toHaveLength(2);
    }
  });

  it("a line beyond the sheet is asked for once, and lines after those that are there already aren't", () => {
    const store = (line: number, lines = idle.lines, confirmedLine: number | null = null) =>
      reduceEntry({ ...smith, line, confirmedLine }, { type: "enter" }, { ...found(ada), lines });
    expect(store(200)).toEqual({ form: { ...smith, line: 200 }, effects: [{ type: "ask-line" }] });
    const confirmed = reduceEntry({ ...smith, line: 200 }, { type: "confirm-line", line: 200 }, idle).form;
    expect(reduceEntry(confirmed, { type: "enter" }, found(ada)).effects[0]).toMatchObject({ change: { line: 200 } });
    for (const line of [20, 21, 22, 23]) {
      const asks = store(line, linesAt(1, 21)).effects[0]?.type === "ask-line";
      expect([line, asks]).toEqual([line, line === 23]);
    }
    expect(store(21).effects).toEqual([{ type: "ask-line" }]);
    const left = (line: number) => reduceEntry({ ...blank, line }, { type: "place-done" }, idle).form.message;
    const text = "Sheet 12 has 20 lines. Check the line number on the paper.";
    expect([left(200), left(20)]).toEqual([{ text, wrong: true }, null]);
  });

  it.each([4, 3, null])("Enter and verdicts on a closed sheet ask to reopen it, also on line %s", (line) => {
    const closed = { ...found(ada), isClosed: true };
    const events = [{ type: "enter" }, { type: "verdict", verdict: "illegible" }] as const;
    for (const form of [blank, smith]) {
      const steps = events.map((event) => reduceEntry({ ...form, line }, event, closed));
      expect(steps).toEqual(events.map(() => ({ form: { ...form, line }, effects: [{ type: "ask-reopen" }] })));
    }
  });

  it.each([
    ["2030-01-01", "Check the date signed: Jan 1, 2030 is in the future."],
    ["1999-12-31", "Check the date signed: Dec 31, 1999 is too long ago."],
    ["12026-11-01", "Check the date signed: enter a real date with month, day, and year."],
  ])("the day %s is refused when its field is left and on Enter, and doesn't carry over", (signedOn, text) => {
    const form = { ...smith, signedOn };
    const refused = { form: { ...form, message: { text, wrong: true } }, effects: [] };
    expect(reduceEntry(form, { type: "place-done" }, idle)).toEqual(refused);
    expect(reduceEntry(form, { type: "enter" }, found(ada))).toEqual(refused);
    expect(reduceEntry(form, { type: "begin", sheet: 12, line: 1, text: null }, idle).form.signedOn).toBe("");
    expect(reduceEntry(form, { type: "clear" }, idle).form.signedOn).toBe("");
    const resumeAt = { sheet: 12, line: 9, signedOn };
    const after = reduceEntry({ ...smith, signedOn: "2026-11-03", resumeAt }, { type: "enter" }, found(ada)).form;
    expect([after.line, after.signedOn]).toEqual([9, ""]);
  });

  it.each([
    ["2026-10-01", "Oct 1, 2026 is before the campaign's first day, Oct 2, 2026."],
    ["2026-11-03", "Nov 3, 2026 is after the campaign's last day, Nov 2, 2026."],
  ])(
    "the day %s is outside the campaign's dates when its field is left and on Enter, but not as such",
    (signedOn, text) => {
      const form = { ...smith, signedOn };
      const dates = { startsOn: "2026-10-02", endsOn: "2026-11-02" };
      const message = {
        text: `${text} Correct the date signed, or enter the line as outside dates.`,
        wrong: true,
      };
      const refused = { form: { ...form, message }, effects: [] };
      expect(reduceEntry(form, { type: "place-done" }, { ...idle, ...dates })).toEqual(refused);
      expect(reduceEntry(form, { type: "enter" }, { ...found(ada), ...dates })).toEqual(refused);
      const entered = reduceEntry(form, { type: "verdict", verdict: "outside-dates" }, { ...found(ada), ...dates });
      expect(entered.effects).toMatchObject([
        { type: "record", change: { verdict: "outside-dates", signedOn } },
        focus,
      ]);
      expect(entered.form.signedOn).toBe(""); // it doesn't carry over
    },
  );

  it("a day after the sheet was collected is named when its field is left, and can be entered", () => {
    const form = { ...smith, signedOn: "2026-11-02" };
    const text = "Nov 2, 2026 is after the sheet was collected, on Nov 1, 2026.";
    const collected = { ...found(ada), collectedOn: "2026-11-01" };
    expect(reduceEntry(form, { type: "place-done" }, collected).form.message).toEqual({ text, wrong: true });
    expect(reduceEntry({ ...form, signedOn: "2026-11-01" }, { type: "place-done" }, collected).form.message).toBeNull();
    const entered = reduceEntry(form, { type: "enter" }, collected);
    expect(entered.effects).toMatchObject([{ type: "record" }, focus]);
    expect(entered.form.message).toEqual({ text: `Line 4: valid – Smith, Ada M. ${text}`, wrong: true });
    expect(entered.form.signedOn).toBe(""); // it doesn't carry over
    expect(reduceEntry(entered.form, { type: "place-done" }, collected).form.message).toEqual(entered.form.message);
    const rejected = reduceEntry(form, { type: "verdict", verdict: "outside-dates" }, collected);
    expect(rejected.form.message).toEqual({ text: "Line 4: outside dates – Smith, Ada M.", wrong: false });
  });

  it("goes to the last name on Enter if none is typed, but stays at a wrong day", () => {
    const message = { text: "Type the last name on the line.", wrong: true };
    const form = { ...blank, signedOn: "2026-11-02" };
    expect(reduceEntry(form, { type: "enter" }, idle)).toEqual({ form: { ...form, message }, effects: [focus] });
    expect(reduceEntry({ ...blank, signedOn: "2027-11-02" }, { type: "enter" }, idle).effects).toEqual([]);
  });

  it.each<[string, number | null, number | null, string, boolean?]>([
    ["another sheet", 11, 12, ""],
    ["no sheet", 11, null, ""],
    ["the same sheet", 12, 12, "2026-11-01"],
    ["the first sheet", null, 12, "2026-11-01"],
    ["a renumbered sheet", 11, 12, "2026-11-01", true],
  ])("the day is kept or cleared at the beginning of %s", (_what, before, sheet, signedOn, isRenumbered = false) => {
    const form = { ...smith, sheet: before, signedOn: "2026-11-01" };
    expect(reduceEntry(form, { type: "begin", sheet, line: 1, text: null, isRenumbered }, idle).form.signedOn).toBe(
      signedOn,
    );
  });
});

describe("the other events", () => {
  const two = found(ada, adam);
  const [first, second] = [{ marked: ada }, { marked: adam }];
  const [down, up]: EntryEvent[] = [
    { type: "move", by: 1 },
    { type: "move", by: -1 },
  ];
  it.each<[string, EntryForm, EntryEvent | undefined, Partial<EntryForm>, Partial<EntryContext>?]>([
    ["down to the first", smith, down, first],
    ["down", { ...smith, ...first }, down, second],
    ["down at the end", { ...smith, ...second }, down, second],
    ["up to the last", smith, up, second],
    ["up at the beginning", { ...smith, ...first }, up, first],
    ["down from the exact one", whole, down, second],
    ["a click", smith, { type: "mark", index: 1 }, second],
    ["a click beyond the list", smith, { type: "mark", index: 7 }, second],
    ["Page Down", smith, { type: "turn", by: 1 }, second],
    ["Page Up", { ...smith, ...second }, { type: "turn", by: -1 }, first],
    ["Page Down with near matches, to the last exact one", smith, { type: "turn", by: 1 }, second, { similar: [lee] }],
    [
      "Page Down from there to near matches",
      { ...smith, ...second },
      { type: "turn", by: 1 },
      { marked: lee },
      { similar: [lee] },
    ],
    [
      "Page Down with near matches only",
      smith,
      { type: "turn", by: 1 },
      { marked: lee },
      { voters: [], similar: [lee] },
    ],
  ])("mark: %s", (_what, form, event = { type: "clear" }, marked, context = {}) => {
    expect(reduceEntry(form, event, { ...two, ...context })).toEqual({ form: { ...form, ...marked }, effects: [] });
  });

  const message = { text: "Something.", wrong: true };
  const [marked, unsaved]: EntryForm[] = [
    { ...smith, ...second, message },
    { ...smith, unsavedId: "x" },
  ];
  const typed: EntryEvent = { type: "typed", field: "firstName", text: "a" };
  const unmarked = { marked: null, message: null };
  const begin: EntryEvent = { type: "begin", sheet: 13, line: 2, text: "Sheet 13, line 2" };
  const begun = { sheet: 13, line: 2, resumeAt: null, message: { text: "Sheet 13, line 2" } };
  it.each<[string, EntryForm | undefined, EntryEvent, Partial<EntryForm>, ...EntryEffect[]]>([
    ["typing", marked, typed, { ...unmarked, fields: { ...smith.fields, firstName: "a" } }],
    ["a day", marked, { type: "day", signedOn: "2026-11-01" }, { signedOn: "2026-11-01", message: null }],
    ["Esc", marked, { type: "clear" }, { ...unmarked, fields: noNames }, focus],
    ["Page Down", smith, { type: "turn", by: 1 }, { line: 5 }, focus],
    ["Page Up on line 1", { ...smith, line: 1 }, { type: "turn", by: -1 }, {}, focus],
    ["Page Up on a full sheet", { ...blank, line: null }, { type: "turn", by: -1 }, { line: 20 }, focus],
    ["Ctrl+Shift+Space", smith, { type: "next-empty" }, { line: 5 }, focus],
    ["Ctrl+Shift+Space on the last line", { ...smith, line: 20 }, { type: "next-empty" }, { line: 4 }, focus],
    ["Page Down without a sheet", emptyForm, { type: "turn", by: 1 }, {}],
    ["a click on a line keeps the typed text", marked, { type: "go", line: 9 }, { ...unmarked, line: 9 }, focus],
    ["a typed number", marked, { type: "line", line: 17 }, { line: 17, message: null }],
    ["the sheet", smith, { type: "sheet" }, {}, { type: "show-sheet" }],
    ["another sheet", { ...smith, resumeAt: { sheet: 8, line: 7, signedOn: "" } }, begin, begun, focus],
    ["no sheet", smith, { ...begin, sheet: null, text: null }, { sheet: null, line: 2 }, focus],
    ["a saved line", smith, { type: "released", arrived: true }, {}],
    ["an unsaved line that is refused", unsaved, { type: "released", arrived: false }, { unsavedId: null }],
    [
      "an unsaved line that is saved later",
      unsaved,
      { type: "released", arrived: true },
      { unsavedId: null, line: 5, fields: noNames },
      focus,
    ],
    ["a message", smith, { type: "message", ...message }, { message }],
  ])("%s", (_what, form = blank, event, changed, ...effects) => {
    expect(reduceEntry(form, event, idle)).toEqual({ form: { ...form, ...changed }, effects });
  });

  it("a click on an entered line leaves what is typed on its own line", () => {
    const context = { ...idle, lines: new Map([[9, { state: "accepted" } as ShownLine]]) };
    const { form } = reduceEntry(smith, { type: "go", line: 9 }, context);
    expect(form).toEqual({ ...smith, message: { text: "Enter line 4 first, or clear it.", wrong: true } });
    expect(reduceEntry(blank, { type: "go", line: 9 }, context).form.line).toBe(9);
  });

  it.each<EntryEvent>([typed, { type: "go", line: 9 }, { type: "line", line: 9 }, { type: "turn", by: 1 }])(
    "an unsaved line blocks %j",
    (event) => {
      const message = { text: "The line in the form is still being sent.", wrong: true };
      const form = { ...smith, unsavedId: "x" };
      expect(reduceEntry(form, event, idle)).toEqual({ form: { ...form, message }, effects: [] });
    },
  );

  it("a line put back into the form shows its place, and the form resumes where it was before", () => {
    const place = { sheet: 9, line: 2, signedOn: "2026-11-01" };
    const event: EntryEvent = { type: "put-back", ...place, fields: { lastName: "lee" } };
    const resumeAt = { sheet: 12, line: 4, signedOn: "" };
    const { form, effects } = reduceEntry(whole, event, idle);
    expect(form).toEqual({
      ...whole,
      ...place,
      fields: { ...noNames, lastName: "lee" },
      resumeAt,
      message: { text: "Sheet 9, line 2" },
    });
    expect(effects).toEqual([focus]);
    expect(reduceEntry(form, { ...event, line: 3 }, idle).form.resumeAt).toEqual(resumeAt);
    const { form: before } = reduceEntry(emptyForm, event, { ...idle, lines: new Map() }); // before a sheet is started
    const cleared = reduceEntry(before, { type: "clear" }, { ...idle, lines: new Map() });
    expect(cleared.form).toMatchObject({ sheet: null, line: 1 });
    expect(cleared.effects[0]).toMatchObject({ type: "record", change: { kind: "typed", sheet: 9, line: 2 } });
  });

  it("a line that the browser can't save returns to the form unchanged", () => {
    const { form } = reduceEntry(whole, { type: "enter" }, found(ada));
    const message = { text: expect.stringMatching(/^This browser can't save lines/), wrong: true };
    expect(reduceEntry(form, { type: "not-saved", id: "x", before: whole }, idle)).toEqual({
      form: { ...whole, unsavedId: "x", message },
      effects: [],
    });
  });
});
