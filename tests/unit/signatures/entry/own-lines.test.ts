import { describe, expect, it } from "vitest";
import { waitingText } from "@/components/signatures/entry/waiting-notice";
import { formatOf } from "@/lib/format/format-of";
import { ownLines } from "@/lib/signatures/entry/own-lines";
import type { Outcome } from "@/lib/signatures/queue/send";
import { rejections, verdictWords } from "@/lib/signatures/verdicts";
import {
  at,
  entryOf,
  refusal,
  rejected,
  settledAs,
  signature,
  stateOf,
  storedLine,
  typed,
  undoOf,
} from "../../../support/entry-lines.ts";

const format = formatOf({ locale: "en-US", timeZone: "UTC" });
const show = (given: Partial<Parameters<typeof ownLines>[0]>) =>
  ownLines({ entries: [], settled: [], state: stateOf([]), format, ...given });
const ids = (given: Partial<Parameters<typeof ownLines>[0]>) => {
  const { standing, undone } = show(given);
  return [standing.map(({ id }) => id), undone.map(({ id }) => id)];
};

describe("own lines", () => {
  it("are there once each, the newest first: on the way, sent by this page, stored before", () => {
    const state = stateOf([storedLine(1), storedLine(2)]);
    const { standing } = show({ state, settled: [settledAs(2), settledAs(3)], entries: [entryOf(3), entryOf(4)] });
    expect(standing.map(({ line, name, words, stored }) => [line, name, words, stored])).toEqual([
      [4, "Okafor, Ben", "accepted", false],
      [3, "Okafor, Ben", "accepted", true],
      [2, "Okafor, Ben", "accepted", true],
      [1, "Smith, Ada", "accepted", true],
    ]);
  });

  it("keep their order when several were keyed in one moment", () => {
    const entries = [3, 1, 2].map((number) => entryOf(number, signature(number), { at: at(9) }));
    expect(ids({ entries })).toEqual([["line-1", "line-2", "line-3"], []]);
    expect(ids({ entries: entries.toReversed() })).toEqual([["line-1", "line-2", "line-3"], []]);
  });

  it("are neither what is refused, nor what is to be looked up, nor sheets, nor what nobody can read", () => {
    const entries = [
      entryOf(1, signature(1), { refused: refusal }),
      entryOf(2, typed(2)),
      entryOf(3, { kind: "open-sheet", sheet: 12 }),
      entryOf(4, { kind: "close-sheet", sheet: 12 }),
      entryOf(5, { kind: "unreadable", text: "{" }, { refused: { why: "invalid", error: "It cannot be read." } }),
    ];
    expect(ids({ entries })).toEqual([[], []]);
  });

  it.each<[string, Outcome, string]>([
    [
      "of the own team",
      { outcome: "duplicate", of: { ownTeam: true, enteredAt: at(0), enteredBy: "Jun Park", sheet: 3, line: 9 } },
      "duplicate of sheet 3, line 9",
    ],
    ["of a sheet without a line", { outcome: "duplicate", of: { ownTeam: true, sheet: 3 } }, "duplicate of sheet 3"],
    [
      "that stands on no sheet",
      { outcome: "duplicate", of: { ownTeam: true, enteredBy: "Jun Park" } },
      "duplicate · by Jun Park",
    ],
    ["of another team", { outcome: "duplicate", of: { ownTeam: false } }, "duplicate · with another team"],
    ["of a line that is gone", { outcome: "duplicate", of: null }, "duplicate"],
  ])("a duplicate %s says so", (_case, outcome, words) => {
    expect(show({ settled: [settledAs(1, outcome)] }).standing).toMatchObject([{ verdict: "duplicate", words }]);
  });

  it.each([...rejections, "blank"] as const)("a line keyed or stored as %s is that", (verdict) => {
    const expected = [{ verdict, words: verdictWords[verdict], name: "oka, b" }];
    const what = rejected(1, verdict, { name: "oka, b" });
    const outcome: Outcome = { outcome: "stored", verdict };
    expect(show({ entries: [entryOf(1, what)] }).standing).toMatchObject(expected);
    expect(show({ settled: [settledAs(1, outcome, what)] }).standing).toMatchObject(expected);
    const before = storedLine(1, { verdict, lastName: "oka", firstName: "b" });
    expect(show({ state: stateOf([before]) }).standing).toMatchObject(expected);
  });

  it.each([
    ["what was typed", { verdict: "not-found", note: "oka, b" } as const, "oka, b"],
    ["not the reason of another kind", { verdict: "other", note: "torn" } as const, ""],
    ["nothing", { verdict: "duplicate", note: null } as const, ""],
    ["a last name alone", { verdict: "accepted", lastName: "Lee" } as const, "Lee"],
  ])("a stored line without a name shows %s", (_what, given, name) => {
    const line = storedLine(1, { firstName: null, lastName: null, ...given });
    expect(show({ state: stateOf([line]) }).standing).toMatchObject([{ name }]);
  });
});

describe("what is taken back", () => {
  const state = stateOf([storedLine(1)]);
  it.each<[string, Partial<Parameters<typeof ownLines>[0]>, boolean]>([
    ["at once", { entries: [undoOf(1, 2)] }, true],
    ["when it is stored", { settled: [{ entry: undoOf(1, 2), outcome: { outcome: "stored" } }] }, true],
    ["when it was read so", { state: stateOf([storedLine(1, { removedAt: at(3) })]) }, true],
    ["when its line arrived after it was removed", { settled: [settledAs(1, { outcome: "stored" })] }, true],
    ["not when it is refused", { entries: [undoOf(1, 2, { refused: refusal })] }, false],
    ["not when the line was stored", { settled: [settledAs(1)] }, false],
  ])("stands apart %s", (_when, given, gone) => {
    expect(ids({ state, ...given })).toEqual(gone ? [[], ["line-1"]] : [["line-1"], []]);
  });

  it("may be on its way still, and be there once", () => {
    expect(ids({ state, entries: [entryOf(1)], settled: [settledAs(1)] })).toEqual([["line-1"], []]);
    expect(ids({ entries: [entryOf(1), undoOf(1, 2)] })).toEqual([[], ["line-1"]]);
    expect(ids({ settled: [settledAs(1)], entries: [undoOf(1, 2)] })).toEqual([[], ["line-1"]]);
    expect(ids({ entries: [undoOf(7, 2)] })).toEqual([[], []]);
  });
});

describe("what is said of lines that wait", () => {
  const three = [entryOf(1), entryOf(2), entryOf(3)];
  it.each([
    [three, "connection", "3 lines wait for the connection, will be sent on their own."],
    [[entryOf(1)], "connection", "1 line waits for the connection, will be sent on its own."],
    [[undoOf(1, 2)], "connection", "1 change waits for the connection, will be sent on its own."],
    [three, "unavailable", "3 lines wait: Signet does not answer at the moment. They will be sent on their own."],
    [three, "signed-out", "Your session has ended, and 3 lines wait. Sign in again; nothing is lost."],
    [three, "updated", "Signet was updated, and 3 lines wait. Reload the page; nothing is lost."],
  ] as const)("%#", (entries, trouble, text) => {
    expect(waitingText(entries, { trouble }, format)).toBe(text);
  });
});
