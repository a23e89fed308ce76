import fc from "fast-check";
import { expect, it } from "vitest";
import { formatOf } from "@/lib/format/format-of";
import { type EntryContext, type EntryForm, emptyForm, hasNames } from "@/lib/signatures/entry/entry-form";
import type { ShownLine } from "@/lib/signatures/entry/shown-lines";
import { type EntryEvent, step } from "@/lib/signatures/entry/step";
import { stepAhead, typedFields } from "@/lib/signatures/entry/type-ahead";
import { inDrill } from "../../../support/in-drill.ts";
import { matching, signed } from "./hasty-clerk.ts";

const fields = ["lastName", "firstName", "houseNumber"] as const;
type Typed = readonly [lastName: string, firstName: string, houseNumber: string];
type Stored = { line: number; verdict: string; voterId: string | null };
const format = formatOf({ locale: "en-US", timeZone: "UTC" });
const pauseMs = 600;

/** Types lines without looking, each with Tabs and Enter. `gaps` and `latencies` are in ms, used in turn. */
function type(lines: readonly Typed[], gaps: readonly number[], latencies: readonly number[], decide = stepAhead) {
  let form: EntryForm = { ...emptyForm, sheet: 12, line: 1 };
  const entered = new Map<number, ShownLine>();
  const stored: Stored[] = [];
  let context: EntryContext = {
    ...{ searching: false, searchDown: false, voters: [], similar: [], total: 0, marks: new Map() },
    ...{ lines: entered, lineCount: 20, last: null, today: "2026-11-03", format },
  };
  let answers: { at: number; run: () => void }[] = [];
  let now = 0;
  let requests = 0;
  let stoppedAt = 0;
  let at = 0; // the field with the focus
  const latency = () => latencies[requests++ % latencies.length] ?? 0;
  const dispatch = (event: EntryEvent) => {
    const before = form;
    const { form: after, effects } = decide(before, event, context);
    form = after;
    if (after.stopped !== before.stopped) stoppedAt = now;
    for (const effect of effects) {
      if (effect.type === "focus") at = 0;
      if (effect.type !== "record" || effect.change.kind !== "line") continue;
      const { line, verdict, voterId } = effect.change;
      stored.push({ line, verdict, voterId });
      entered.set(line, { line, mine: true, state: verdict } as ShownLine);
    }
    if (before.fields !== after.fields) search();
    else if (effects.some(({ type }) => type === "search")) search();
  };
  const search = () => {
    context = { ...context, searching: hasNames(form), ...(!hasNames(form) && { voters: [], total: 0 }) };
    answers = [];
    if (!hasNames(form)) return;
    const { fields } = form;
    const run = () => {
      const voters = matching(fields);
      context = { ...context, searching: false, voters, total: voters.length, marks: new Map() };
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
      const [answer] = answers;
      const resumeAt = form.stopped === null ? Number.POSITIVE_INFINITY : stoppedAt + pauseMs;
      if (Math.min(resumeAt, answer?.at ?? Number.POSITIVE_INFINITY) > until) break;
      if (resumeAt < (answer?.at ?? Number.POSITIVE_INFINITY)) {
        now = resumeAt;
        dispatch({ type: "resume" });
      } else if (answer) {
        now = answer.at;
        answers = [];
        answer.run();
      }
      if (form.ahead) dispatch({ type: "answered" });
    }
    now = until;
  };
  let keys = 0;
  const press = (act: () => void) => {
    pass(now + (gaps[keys++ % gaps.length] ?? 0));
    act();
  };
  for (const line of lines) {
    for (const [index, text] of line.entries()) {
      if (index > 0) {
        press(() => {
          if (form.stopped !== null) dispatch({ type: "other-key" });
          at = (at + 1) % fields.length;
        });
      }
      for (const letter of text) {
        press(() => {
          const field = fields[at] ?? "lastName";
          dispatch({ type: "typed", field, text: typedFields(form)[field] + letter });
        });
      }
    }
    press(() => dispatch({ type: "enter" }));
  }
  pass(now + 60_000); // longer than every line's two answers, one after the other
  return { stored, form };
}

const sure: Typed[] = [
  ["smith", "ada", "340"],
  ["Smithson", "Lee", ""],
  ["nguyen", "linh", "9"],
  ["smyth", "ada", ""],
  ["smythe", "lee", "88"],
];
// Namesakes, a beginning, someone who has signed, no one, and only a last name.
const unsure: Typed[] = [
  ["smith", "ada", "12"],
  ["smi", "", ""],
  ["rivera", "ana", "5"],
  ["zz", "q", ""],
  ["nguyen", "", ""],
];
const voterOf = ([lastName, firstName, houseNumber]: Typed) =>
  matching({ lastName, firstName, houseNumber }).filter(
    (voter) => sameText(voter.lastName, lastName) && sameText(voter.firstName, firstName),
  );
const sameText = (a: string | undefined, b: string) => a?.toLowerCase() === b.toLowerCase();

const script = fc.record({
  before: fc.shuffledSubarray(sure),
  odd: fc.constantFrom(...unsure),
  after: fc.shuffledSubarray([...sure, ...unsure]),
  gaps: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 40 }),
  latencies: fc.array(fc.integer({ min: 0, max: 1_500 }), { minLength: 1, maxLength: 20 }),
});

const holds = (decide: typeof stepAhead) =>
  fc.property(script, ({ before, odd, after, gaps, latencies }) => {
    const lines = [...before, odd, ...after];
    const { stored } = type(lines, gaps, latencies, decide);
    // All before the first doubtful line are stored as they are on paper, at any speed.
    expect(stored.slice(0, before.length)).toEqual(
      before.map((line, index) => ({ line: index + 1, verdict: "accepted", voterId: voterOf(line)[0]?.voterId })),
    );
    // After it only what the screen had offered for that line.
    for (const { line, voterId, verdict } of stored.slice(before.length)) {
      const [lastName, firstName, houseNumber] = lines[line - 1] ?? ["?", "", ""];
      const meant = matching({ lastName, firstName, houseNumber });
      expect(meant.map((voter) => voter.voterId)).toContain(voterId);
      if (verdict === "accepted") expect(meant).toHaveLength(1);
    }
  });

it("keys at any speed store what was typed, line by line, until the first line that isn't certain", () => {
  fc.assert(holds(stepAhead), { numRuns: inDrill(20_000, { else: 500 }) });
});

it("fails without the buffer, with one that takes the first of several, and with one that types on after it stops", () => {
  const first: typeof stepAhead = (form, event, context) =>
    stepAhead({ ...form, marked: form.ahead ? (context.voters[0] ?? null) : form.marked }, event, context);
  const onward: typeof stepAhead = (form, event, context) => stepAhead({ ...form, stopped: null }, event, context);
  const found = [step, first, onward].map((decide) => fc.check(holds(decide), { numRuns: 2_000, seed: 1 }).failed);
  expect(found).toEqual([true, true, true]);
});

it("says why it stopped and what was dropped, and takes keys again after a pause", () => {
  const { stored, form } = type(
    [
      ["smi", "", ""],
      ["nguyen", "linh", ""],
    ],
    [1],
    [500],
  );
  expect([stored, form.fields.lastName, form.stopped]).toEqual([[], "smi", null]);
  expect(form.message?.text).toBe("Line 1: 5 voters match. Mark one. Not entered: nguyen, linh.");
});
