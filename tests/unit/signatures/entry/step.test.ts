import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { formatOf } from "@/lib/format/format-of";
import { type EntryForm, emptyForm, hasNames, type Sight } from "@/lib/signatures/entry/entry-form";
import { markedIndex, offer } from "@/lib/signatures/entry/offer";
import type { SheetLine } from "@/lib/signatures/entry/sheet-lines";
import { type EntryEffect, type EntryEvent, step } from "@/lib/signatures/entry/step";
import type { SignedMark } from "@/lib/signatures/signed-mark";
import { rejections } from "@/lib/signatures/verdicts";
import type { Voter } from "@/lib/voters/read-hit";
import { noTexts } from "@/lib/voters/voter-query";

const ada: Voter = {
  ...{ voterId: "WA-1", firstName: "Ada", middleName: "M.", lastName: "Smith", houseNumber: "12", street: "Oak St" },
  ...{ unit: "4", city: "Kent", county: "King", zip: "98030" },
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
    numbers.map((line): [number, SheetLine] => [
      line,
      {
        ...{ id: `line-${line}`, line, name: "Okafor, Ben", state: "accepted", words: "accepted" },
        ...{ stored: true, by: "Rosa", mine: true, at: "2026-11-03T12:00:00Z" },
      },
    ]),
  );
const full = linesAt(...Array.from({ length: 20 }, (_, index) => index + 1));
const butFour = new Map([...full].filter(([line]) => line !== 4));

const format = formatOf({ locale: "en-US", timeZone: "UTC" });
const calm: Sight = {
  ...{ searching: false, blind: false, voters: [], similar: [], total: 0, marks: new Map() },
  ...{ lines: linesAt(1, 2, 3), count: 20, last: null, format },
};
const found = (...voters: Voter[]): Sight => ({
  ...{ ...calm, voters, total: voters.length, marks: marksOf(notSigned) },
});
const blank: EntryForm = { ...emptyForm, sheet: 12, line: 4 };
const places = { city: "Kent", zip: "98030", county: "King" };
const smith: EntryForm = { ...blank, texts: { ...noTexts, ...places, lastName: " smith " } };
const whole: EntryForm = { ...smith, texts: { ...smith.texts, firstName: "ada", houseNumber: "12" } };

const focus: EntryEffect = { type: "focus" };
const paper = { sheet: 12, line: 4, signedOn: null };
const noNames = { ...smith.texts, lastName: "" };

/** Each kind of situation in which a key can be pressed; `all` of them, or fewer, in which many keys are tried. */
function situations({ all = false } = {}): { form: EntryForm; sight: Sight }[] {
  const last = { id: "line-3", sheet: 12, line: 3, name: "Okafor, Ben" };
  const places = [
    [null, 1],
    [12, 4],
    [12, 3],
    [12, null],
    [12, 25],
  ] as const;
  const searches = [
    { searching: false, blind: false },
    { searching: true, blind: false },
    { searching: false, blind: true },
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
  const texts = [noNames, smith.texts, whole.texts];
  const more = [
    { ...whole.texts, lastName: "SMÍTH" },
    { ...whole.texts, houseNumber: " " },
  ];
  const forms = [...texts, ...(all ? more : [])].flatMap((texts) =>
    places.flatMap(([sheet, line]) => [null, "x"].map((held) => ({ ...emptyForm, texts, sheet, line, held }))),
  );
  const marks: (SignedMark | null)[] = [null, notSigned, signed];
  if (all) marks.push({ state: "signed", at: null, asking: true }, { state: "unchecked" });
  const sights = [calm.lines, full, ...(all ? [butFour] : [])].flatMap((lines) =>
    searches.flatMap((search) =>
      lists.flatMap((list) =>
        marks.map((mark) => ({ ...calm, ...search, ...list, lines, last, marks: marksOf(mark) })),
      ),
    ),
  );
  const byHand = ({ voters: [first, second] }: Sight) => [
    ...(first ? [first] : []),
    ...(all && first ? [{ ...first }] : []), // the same one, found again
    ...(all && second ? [second] : []),
  ];
  return forms.flatMap((form) =>
    sights.flatMap((sight) => [
      { form, sight },
      ...byHand(sight).map((marked) => ({ form: { ...form, marked }, sight })),
    ]),
  );
}

// The rules, told once more.
const namesOf = ({ texts }: EntryForm) =>
  [texts.lastName, texts.firstName, texts.houseNumber].map((text) => text.trim());
const isTyped = (form: EntryForm) => namesOf(form).some((text) => text !== "");
const nextEmpty = ({ line }: EntryForm, { lines }: Sight) => {
  const empty = [...Array(20).keys()].map((at) => at + 1).filter((at) => !lines.has(at));
  return empty.find((at) => at > (line ?? 0)) ?? empty[0];
};

/** Why no line can be stored. */
function expectedObstacle(form: EntryForm, sight: Sight): string | null {
  const { sheet, line, held } = form;
  if (sheet === null) return "Start a sheet first: its number goes with each line.";
  if (held !== null) return "The line in the form is still being sent.";
  if (line === null) return "Sheet 12 has no empty line left. Close it, or go to a line.";
  if (!sight.lines.has(line)) return null;
  const next = nextEmpty(form, sight);
  const goOn = next === undefined ? "No line is empty." : `Line ${next} is the next empty one.`;
  return `Line ${line} is taken: Okafor, Ben, accepted. ${goOn}`;
}

/** Who is marked: by hand, as the only one, or as the only one of exactly this name and house. */
function expectedMarked(form: EntryForm, { voters, total }: Sight): Voter | undefined {
  const typed = namesOf(form).join().toLowerCase().replace("í", "i");
  const exact = voters.filter((one) => [one.lastName, one.firstName, one.houseNumber].join().toLowerCase() === typed);
  const isOnly = total === 1 || (total === voters.length && exact.length === 1);
  return voters.find((one) => one === form.marked) ?? (isOnly ? (exact[0] ?? voters[0]) : undefined);
}

/** What Enter must do. */
function expectedOffer(form: EntryForm, sight: Sight): object {
  const { sheet, line, held } = form;
  const { voters } = sight;
  const nothing = (why: string) => ({ does: "nothing", why });
  if (sheet !== null && held === null && !isTyped(form) && (line === null || sight.lines.has(line))) {
    const next = nextEmpty(form, sight);
    return line === null || next === undefined ? { does: "close" } : { does: "go", line: next };
  }
  const obstacle = expectedObstacle(form, sight);
  if (obstacle !== null) return nothing(obstacle);
  if (!isTyped(form)) return nothing("Type the last name on the line.");
  if (sight.blind) return { does: "keep" };
  if (sight.searching) return { does: "wait", for: "voters" };
  if (voters.length === 0) return nothing("No voter matches. Correct what is typed, or record the line as not found.");
  const voter = expectedMarked(form, sight);
  if (!voter) return { does: "mark", voter: voters[0], index: 0 };
  const mark = sight.marks.get(voter.voterId);
  if (!mark || ("asking" in mark && mark.asking)) return { does: "wait", for: "marks" };
  const told = { voter, index: voters.indexOf(voter) };
  return mark.state === "signed" ? { does: "duplicate", ...told, at: mark.at } : { does: "accept", ...told };
}

const verdicts = [...rejections, "blank"] as const;
type Stored = (typeof verdicts)[number];

/** Of whom a verdict is, and why it does not fit what is typed. */
function expectedVerdict(verdict: Stored, form: EntryForm, sight: Sight): { voter?: Voter; why?: string } {
  if (verdict === "blank" && isTyped(form)) {
    return { why: "Something is typed for this line. Clear it with Esc, then mark the line as blank." };
  }
  if ((verdict === "not-found" || verdict === "not-registered") && !isTyped(form)) {
    return { why: "Type the name on the line first, so that it can be found again." };
  }
  if (verdict !== "duplicate") return {};
  const voter = sight.searching || sight.blind ? undefined : expectedMarked(form, sight);
  if (!voter) return { why: "Mark the voter who has signed already: ↓, or a click on her." };
  if (sight.marks.get(voter.voterId)?.state !== "not-signed") return { voter };
  return { why: `${listNameOf(voter)} has not signed yet. Enter accepts the line.` };
}
const listNameOf = ({ voterId }: Voter) => (voterId === "WA-2" ? "Smith, Adam" : "Smith, Ada M.");

/** Fails unless both are equal; some thousand times, for which `toEqual` alone is slow. */
function same(found: unknown, expected: unknown) {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

describe("in each situation", () => {
  const each = situations();

  it("Enter does what it must, and says so before", () => {
    for (const { form, sight } of situations({ all: true })) {
      same(offer(form, sight), expectedOffer(form, sight));
    }
  });

  it("what is offered and what Enter does agree", () => {
    const seen = new Set<string>();
    for (const { form, sight } of each) {
      const offered = offer(form, sight);
      seen.add(offered.does);
      const { form: after, effects } = step(form, { type: "enter" }, sight);
      const records = effects.flatMap((effect) => (effect.type === "record" ? [effect.what] : []));
      switch (offered.does) {
        case "accept":
          expect(records).toMatchObject([{ kind: "signature", voterId: offered.voter.voterId, line: form.line }]);
          break;
        case "duplicate":
          expect(records).toMatchObject([
            { kind: "rejected", verdict: "duplicate", voterId: offered.voter.voterId, line: form.line },
          ]);
          break;
        case "keep":
          expect(records).toMatchObject([{ kind: "typed", lastName: "smith", line: form.line }]);
          break;
        case "mark":
          expect([after.marked, effects]).toEqual([offered.voter, []]);
          expect(offered.voter).toBe(sight.voters[offered.index]);
          expect(offer(after, sight).does).not.toBe("mark"); // a second Enter goes on
          break;
        case "go":
          expect([after, effects]).toEqual([{ ...form, line: offered.line, marked: null, said: null }, [focus]]);
          expect(sight.lines.has(offered.line)).toBe(false);
          break;
        case "close":
          expect([after, effects]).toEqual([form, [{ type: "report" }]]);
          break;
        case "wait": {
          const asked = offered.for === "voters" ? [{ type: "search" }] : [];
          expect([{ ...after, said: null }, effects]).toEqual([form, asked]);
          break;
        }
        case "nothing":
          expect([after, effects]).toEqual([{ ...form, said: { text: offered.why, wrong: true } }, []]);
      }
    }
    expect([...seen].sort()).toEqual(["accept", "close", "duplicate", "go", "keep", "mark", "nothing", "wait"]);
  });

  it("a verdict is stored where it fits, with what is typed or who is marked, and says else why not", () => {
    const given: [verdict: Stored, note: string | null][] = verdicts.map((verdict) => [verdict, null]);
    for (const { form: drawn, sight } of each) {
      const form = { ...drawn, signedOn: "2026-08-01" };
      for (const [verdict, note] of [...given, ["other", "torn"] as const]) {
        const event: EntryEvent = note === null ? { type: "verdict", verdict } : { type: "reason", note };
        const { form: after, effects } = step(form, event, sight);
        const { voter, why = null } = expectedVerdict(verdict, form, sight);
        const problem = expectedObstacle(form, sight) ?? why;
        if (problem !== null) {
          same([after, effects], [{ ...form, said: { text: problem, wrong: true } }, []]);
        } else if (verdict === "other" && note === null) {
          same([after, effects], [form, [{ type: "ask-reason" }]]);
        } else {
          const name = voter ? listNameOf(voter) : namesOf(form).filter(Boolean).join(", ") || null;
          const { sheet, line, signedOn } = form;
          const of = { kind: "rejected", verdict, voterId: voter?.voterId ?? null, name, note };
          const what = { ...of, sheet, line, signedOn };
          same(effects, [{ type: "record", what }, focus]);
        }
      }
    }
  });

  const events: EntryEvent[] = [
    ...verdicts.map((verdict) => ({ type: "verdict", verdict }) as const),
    { type: "enter" },
    { type: "reason", note: "torn" },
    { type: "undo" },
    { type: "typed", field: "lastName", text: "d" },
    { type: "day", signedOn: "2026-11-01" },
    { type: "move", by: 1 },
    { type: "move", by: -1 },
    { type: "mark", index: 0 },
    { type: "clear" },
    { type: "turn", by: 1 },
    { type: "go", line: 9 },
    { type: "line", line: 9 },
    { type: "sheet" },
    { type: "begin", sheet: 13, line: 1, said: null },
    { type: "put-back", sheet: 11, line: 1, signedOn: "", texts: {} },
    { type: "released", arrived: true },
    { type: "say", text: "Hello." },
  ];
  it("a line is stored by Enter, a verdict or its reason alone: one, where the form stands, on a line that is empty", () => {
    const stores = new Set<string>();
    for (const { form, sight } of each) {
      for (const event of events) {
        const { effects, form: after } = step(form, event, sight);
        const records = effects.flatMap((effect) => (effect.type === "record" ? [effect.what] : []));
        if (records.length > 1) expect(records).toHaveLength(1);
        for (const what of records) {
          stores.add(event.type);
          if (what.kind === "undo") {
            expect(what.of).toBe("line-3");
            continue;
          }
          expect(what).toMatchObject({ sheet: form.sheet, line: form.line });
          expect([form.sheet, form.line, form.held]).toEqual([expect.any(Number), expect.any(Number), null]);
          expect(sight.lines.has(form.line ?? 0)).toBe(false);
          // The form is ready for another line.
          expect([hasNames(after), after.marked, after.goesOn]).toEqual([false, null, null]);
          expect([after.sheet, after.line]).not.toEqual([form.sheet, form.line]);
        }
      }
    }
    expect([...stores].sort()).toEqual(["enter", "reason", "undo", "verdict"]);
  });

  it("who is similar changes nothing of what happens to the others, nor who is marked", () => {
    const similar: Voter[] = [lee, { ...lee, voterId: "WA-4" }].map((voter) => ({ ...voter, match: "similar" }));
    for (const { form, sight } of each) {
      const more = { ...sight, similar };
      const at = markedIndex(form, sight);
      same(markedIndex(form, more), at);
      const [before, now] = [offer(form, sight), offer(form, more)];
      if (before.does === "nothing") expect(now.does).toBe("nothing");
      else same(now, before);
      const { length } = sight.voters;
      for (const event of events) {
        const [plain, other] = [step(form, event, sight), step(form, event, more)];
        const goesOn = event.type === "move" && event.by === 1 && (at ?? -1) === length - 1;
        const isAmongThem = length === 0 && (event.type === "mark" || event.type === "move");
        if (goesOn || isAmongThem) {
          expect(other.form.marked).toBe(event.type === "move" && event.by === -1 ? similar[1] : similar[0]);
        } else if (event.type === "enter" && before.does === "nothing") {
          same({ ...other.form, said: plain.form.said }, plain.form);
        } else same(other, plain);
      }
    }
  });

  it("who is similar is stored when she was marked by hand, and never else", () => {
    const similar: Voter = { ...ada, match: "sounds like" };
    const sight: Sight = { ...found(), similar: [similar], marks: marksOf(notSigned) };
    const why = expect.stringContaining("Mark one of the similar voters");
    for (const form of [smith, whole]) {
      expect(offer(form, sight)).toEqual({ does: "nothing", why });
      expect(step(form, { type: "enter" }, sight).form.marked).toBeNull();
      for (const event of [
        { type: "move", by: 1 },
        { type: "move", by: -1 },
        { type: "mark", index: 0 },
      ] as const) {
        const { form: after } = step(form, event, sight);
        expect(offer(after, sight)).toEqual({ does: "accept", voter: similar, index: 0 });
        expect(offer(after, { ...sight, marks: marksOf(null) })).toEqual({ does: "wait", for: "marks" });
        expect(offer(after, { ...sight, marks: marksOf(signed) }).does).toBe("duplicate");
        expect(offer(after, { ...sight, similar: [{ ...similar }] }).does).toBe("nothing"); // found again
      }
    }
  });

  it("nothing is marked that is not there", () => {
    const moves: EntryEvent[] = [
      { type: "move", by: 1 },
      { type: "move", by: -1 },
      { type: "mark", index: 99 },
    ];
    const faults = each.filter(({ form, sight }) =>
      moves.some((event) => {
        const index = markedIndex(step(form, event, sight).form, sight);
        return index !== null && !sight.voters[index];
      }),
    );
    expect(faults).toEqual([]);
  });
});

describe("what is stored", () => {
  const stored = (form: EntryForm, sight: Sight) => {
    const { form: after, effects } = step(form, { type: "enter" }, sight);
    return { what: effects.flatMap((effect) => (effect.type === "record" ? [effect.what] : []))[0], after };
  };

  it("an accepted line has the voter of the file, and the form is ready for the next one", () => {
    const { what, after } = stored({ ...smith, signedOn: "2026-11-01" }, found(ada));
    expect(what).toEqual({
      ...{ kind: "signature", voterId: "WA-1", firstName: "Ada", lastName: "Smith", address: "12 Oak St #4" },
      ...{ ...places, sheet: 12, line: 4, signedOn: "2026-11-01" },
    });
    expect(after).toEqual({
      ...blank,
      ...{ line: 5, signedOn: "2026-11-01", texts: { ...noTexts, ...places } },
      said: { text: "Line 4: Smith, Ada M.", wrong: false },
    });
  });

  it("a voter of whom little is known", () => {
    const sight = { ...found({ voterId: "WA-7" }), marks: new Map([["WA-7", notSigned]]) };
    expect(stored(smith, sight).what).toEqual({
      ...{ kind: "signature", voterId: "WA-7", firstName: null, lastName: null, address: null },
      ...{ city: null, county: null, zip: null, ...paper },
    });
  });

  it("a duplicate says where the first signature stands", () => {
    const { what, after } = stored(smith, { ...found(ada), marks: marksOf(signed) });
    const duplicate = { kind: "rejected", verdict: "duplicate", voterId: "WA-1", name: "Smith, Ada M.", note: null };
    expect(what).toEqual({ ...duplicate, ...paper });
    const text = "Line 4: Smith, Ada M. has signed already: sheet 3, line 9 · by Jun Park; kept as a duplicate.";
    expect(after.said).toEqual({ text, wrong: true });
  });

  it("without a search, what was typed", () => {
    const { what, after } = stored(whole, { ...calm, blind: true });
    expect(what).toEqual({ kind: "typed", lastName: "smith", firstName: "ada", houseNumber: "12", ...paper });
    expect(after.said?.text).toBe("Line 4: smith, ada, 12, kept as typed.");
  });
});

describe("the next line", () => {
  it.each<[string, number, Sight["lines"], number | null]>([
    ["is the next empty one", 4, linesAt(5, 6), 7],
    ["is none when this was the last", 4, butFour, null],
    ["is on the paper, after a line beyond it", 25, linesAt(1), 2],
  ])("%s", (_what, line, lines, next) => {
    const form = { ...smith, line };
    expect(step(form, { type: "verdict", verdict: "illegible" }, { ...calm, lines }).form.line).toBe(next);
  });

  it("is where it went on before lines were put back, and the next of these is looked for", () => {
    const goesOn = { sheet: 8, line: 7, signedOn: "2026-11-01" };
    const { form, effects } = step({ ...smith, goesOn }, { type: "enter" }, found(ada));
    expect(form).toMatchObject({ ...goesOn, goesOn: null, texts: { lastName: "", city: "Kent" } });
    expect(effects.slice(1)).toEqual([{ type: "next-typed" }, focus]);
  });
});

describe("an undo", () => {
  const last = { id: "line-3", sheet: 12, line: 3, name: "Okafor, Ben" };
  const said = "Undone: sheet 12, line 3, Okafor, Ben.";
  it.each<[string, EntryForm, Partial<typeof last> | { line: null }, string, number]>([
    ["leads back to its line", blank, {}, said, 3],
    ["leaves what is typed where it is", smith, {}, said, 4],
    ["leaves a line that is held where it is", { ...blank, held: "x" }, {}, said, 4],
    ["of another sheet's line leads nowhere", blank, { sheet: 8 }, "Undone: sheet 8, line 3, Okafor, Ben.", 4],
    ["of a line without a number leads nowhere", blank, { line: null }, "Undone: sheet 12, Okafor, Ben.", 4],
    ["of a line without a name says its place", blank, { name: "" }, "Undone: sheet 12, line 3.", 3],
  ])("%s", (_what, form, given, text, line) => {
    expect(step(form, { type: "undo" }, { ...calm, last: { ...last, ...given } })).toEqual({
      form: { ...form, line, said: { text } },
      effects: [{ type: "record", what: { kind: "undo", of: "line-3" } }, focus],
    });
  });

  it("without a line says so", () => {
    const said = { text: "There is no line to undo.", wrong: true };
    expect(step(blank, { type: "undo" }, calm)).toEqual({ form: { ...blank, said }, effects: [] });
  });
});

describe("the other events", () => {
  const two = found(ada, adam);
  const [first, second] = [{ marked: ada }, { marked: adam }];
  const [down, up]: EntryEvent[] = [
    { type: "move", by: 1 },
    { type: "move", by: -1 },
  ];
  it.each<[string, EntryForm, EntryEvent | undefined, Partial<EntryForm>]>([
    ["down to the first", smith, down, first],
    ["down", { ...smith, ...first }, down, second],
    ["down at the end", { ...smith, ...second }, down, second],
    ["up to the last", smith, up, second],
    ["up at the beginning", { ...smith, ...first }, up, first],
    ["down from the exact one", whole, down, second],
    ["a click", smith, { type: "mark", index: 1 }, second],
    ["a click beyond the list", smith, { type: "mark", index: 7 }, second],
  ])("mark: %s", (_what, form, event = { type: "clear" }, marked) => {
    expect(step(form, event, two)).toEqual({ form: { ...form, ...marked }, effects: [] });
  });

  const said = { text: "Something.", wrong: true };
  const [marked, held]: EntryForm[] = [
    { ...smith, ...second, said },
    { ...smith, held: "x" },
  ];
  const typed: EntryEvent = { type: "typed", field: "firstName", text: "a" };
  const unmarked = { marked: null, said: null };
  const begin: EntryEvent = { type: "begin", sheet: 13, line: 2, said: "Sheet 13, line 2" };
  const begun = { sheet: 13, line: 2, goesOn: null, said: { text: "Sheet 13, line 2" } };
  it.each<[string, EntryForm | undefined, EntryEvent, Partial<EntryForm>, ...EntryEffect[]]>([
    ["typing", marked, typed, { ...unmarked, texts: { ...smith.texts, firstName: "a" } }],
    ["a day", marked, { type: "day", signedOn: "2026-11-01" }, { signedOn: "2026-11-01", said: null }],
    ["Esc", marked, { type: "clear" }, { ...unmarked, texts: noNames }, focus],
    ["Page Down", smith, { type: "turn", by: 1 }, { line: 5 }, focus],
    ["Page Up on line 1", { ...smith, line: 1 }, { type: "turn", by: -1 }, {}, focus],
    ["Page Up on a full sheet", { ...blank, line: null }, { type: "turn", by: -1 }, { line: 20 }, focus],
    ["Page Down without a sheet", emptyForm, { type: "turn", by: 1 }, {}],
    ["a line on the left: what is typed goes along", marked, { type: "go", line: 9 }, { ...unmarked, line: 9 }, focus],
    ["a number that is typed", marked, { type: "line", line: 17 }, { line: 17, said: null }],
    ["the sheet", smith, { type: "sheet" }, {}, { type: "show-sheet" }],
    ["another sheet", { ...smith, goesOn: { sheet: 8, line: 7, signedOn: "" } }, begin, begun, focus],
    ["no sheet", smith, { ...begin, sheet: null, said: null }, { sheet: null, line: 2 }, focus],
    ["a line that arrived", smith, { type: "released", arrived: true }, {}],
    ["a held line that is refused", held, { type: "released", arrived: false }, { held: null }],
    [
      "a held line that arrived",
      held,
      { type: "released", arrived: true },
      { held: null, line: 5, texts: noNames },
      focus,
    ],
    ["words", smith, { type: "say", ...said }, { said }],
  ])("%s", (_what, form = blank, event, changed, ...effects) => {
    expect(step(form, event, calm)).toEqual({ form: { ...form, ...changed }, effects });
  });

  it.each<EntryEvent>([typed, { type: "go", line: 9 }, { type: "line", line: 9 }, { type: "turn", by: 1 }])(
    "while a line is held, nothing is changed by %j",
    (event) => {
      const said = { text: "The line in the form is still being sent.", wrong: true };
      const form = { ...smith, held: "x" };
      expect(step(form, event, calm)).toEqual({ form: { ...form, said }, effects: [] });
    },
  );

  it("a line that is put back says where it stands; it goes on where the form was before the first of them", () => {
    const place = { sheet: 9, line: 2, signedOn: "2026-11-01" };
    const event: EntryEvent = { type: "put-back", ...place, texts: { lastName: "lee" } };
    const goesOn = { sheet: 12, line: 4, signedOn: "" };
    const { form, effects } = step(whole, event, calm);
    expect(form).toEqual({
      ...{ ...whole, ...place, texts: { ...noNames, lastName: "lee" } },
      ...{ goesOn, said: { text: "Sheet 9, line 2" } },
    });
    expect(effects).toEqual([focus]);
    expect(step(form, { ...event, line: 3 }, calm).form.goesOn).toEqual(goesOn);
    expect(step(emptyForm, event, calm).form.goesOn).toBeNull();
  });

  it("a line that the browser cannot keep comes back into the form, as it was", () => {
    const { form } = step(whole, { type: "enter" }, found(ada));
    const said = { text: expect.stringMatching(/^This browser cannot keep lines/), wrong: true };
    expect(step(form, { type: "unkept", id: "x", before: whole }, calm)).toEqual({
      form: { ...whole, held: "x", said },
      effects: [],
    });
  });
});
