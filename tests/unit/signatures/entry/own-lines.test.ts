import { describe, expect, it } from "vitest";
import { blockedText } from "@/components/signatures/entry/outbox-list";
import { formatOf } from "@/lib/format/format-of";
import { ownLines } from "@/lib/signatures/entry/shown-lines";
import type { Outcome } from "@/lib/signatures/outbox/send";
import { rejections, verdictWords } from "@/lib/signatures/verdicts";
import {
  at,
  itemOf,
  refusal,
  rejected,
  sentAs,
  signature,
  stateOf,
  storedLine,
  typed,
  undoOf,
} from "../../../support/entry-lines.ts";

const format = formatOf({ locale: "en-US", timeZone: "UTC" });
const show = (given: Partial<Parameters<typeof ownLines>[0]>) =>
  ownLines({ items: [], sent: [], state: stateOf([]), format, ...given });
const ids = (given: Partial<Parameters<typeof ownLines>[0]>) => {
  const { live, undone } = show(given);
  return [live.map(({ id }) => id), undone.map(({ id }) => id)];
};

describe("own lines", () => {
  it("are listed once each, the newest first: unsent, sent by this page, stored before", () => {
    const state = stateOf([storedLine(1), storedLine(2)]);
    const { live } = show({ state, sent: [sentAs(2), sentAs(3)], items: [itemOf(3), itemOf(4)] });
    expect(live.map(({ line, name, words, stored }) => [line, name, words, stored])).toEqual([
      [4, "Okafor, Ben", "valid", false],
      [3, "Okafor, Ben", "valid", true],
      [2, "Okafor, Ben", "valid", true],
      [1, "Smith, Ada", "valid", true],
    ]);
  });

  it("keep their order when several were entered at the same time", () => {
    const items = [3, 1, 2].map((number) => itemOf(number, signature(number), { at: at(9) }));
    expect(ids({ items })).toEqual([["line-1", "line-2", "line-3"], []]);
    expect(ids({ items: items.toReversed() })).toEqual([["line-1", "line-2", "line-3"], []]);
  });

  it("exclude refused, typed and unreadable items, and sheets", () => {
    const items = [
      itemOf(1, signature(1), { refused: refusal }),
      itemOf(2, typed(2)),
      itemOf(3, { kind: "open-sheet", sheet: 12 }),
      itemOf(4, { kind: "close-sheet", sheet: 12 }),
      itemOf(5, { kind: "unreadable", text: "{" }, { refused: { why: "invalid", error: "It cannot be read." } }),
    ];
    expect(ids({ items })).toEqual([[], []]);
  });

  it.each<[string, Outcome, string]>([
    [
      "of the own team",
      { outcome: "duplicate", of: { ownTeam: true, enteredAt: at(0), enteredBy: "Jun Park", sheet: 3, line: 9 } },
      "duplicate of sheet 3, line 9",
    ],
    ["of a sheet without a line", { outcome: "duplicate", of: { ownTeam: true, sheet: 3 } }, "duplicate of sheet 3"],
    ["on no sheet", { outcome: "duplicate", of: { ownTeam: true, enteredBy: "Jun Park" } }, "duplicate · by Jun Park"],
    ["of another team", { outcome: "duplicate", of: { ownTeam: false } }, "duplicate · with another team"],
    ["of a deleted line", { outcome: "duplicate", of: null }, "duplicate"],
  ])("a duplicate %s says so", (_case, outcome, words) => {
    expect(show({ sent: [sentAs(1, outcome)] }).live).toMatchObject([{ state: "duplicate", words }]);
  });

  it.each([...rejections, "blank"] as const)("a line entered or stored as %s has that verdict", (verdict) => {
    const expected = [{ state: verdict, words: verdictWords[verdict], name: "oka, b" }];
    const change = rejected(1, verdict, { name: "oka, b" });
    const outcome: Outcome = { outcome: "stored", verdict };
    expect(show({ items: [itemOf(1, change)] }).live).toMatchObject(expected);
    expect(show({ sent: [sentAs(1, outcome, change)] }).live).toMatchObject(expected);
    const before = storedLine(1, { verdict, lastName: "oka", firstName: "b" });
    expect(show({ state: stateOf([before]) }).live).toMatchObject(expected);
  });

  it.each([
    ["what was typed", { verdict: "not-found", note: "oka, b" } as const, "oka, b"],
    ["not the reason of another kind", { verdict: "other", note: "torn" } as const, ""],
    ["nothing", { verdict: "duplicate", note: null } as const, ""],
    ["a last name alone", { verdict: "accepted", lastName: "Lee" } as const, "Lee"],
  ])("a stored line without a name shows %s", (_what, given, name) => {
    const line = storedLine(1, { firstName: null, lastName: null, ...given });
    expect(show({ state: stateOf([line]) }).live).toMatchObject([{ name }]);
  });
});

describe("an undone line", () => {
  const state = stateOf([storedLine(1)]);
  it.each<[string, Partial<Parameters<typeof ownLines>[0]>, boolean]>([
    ["at once", { items: [undoOf(1, 2)] }, true],
    ["when it is stored", { sent: [{ item: undoOf(1, 2), outcome: { outcome: "stored" } }] }, true],
    ["when it was read as removed", { state: stateOf([storedLine(1, { removedAt: at(3) })]) }, true],
    ["when its line arrived after it was removed", { sent: [sentAs(1, { outcome: "stored" })] }, true],
    ["not when it is refused", { items: [undoOf(1, 2, { refused: refusal })] }, false],
    ["not when the line was stored", { sent: [sentAs(1)] }, false],
  ])("is listed separately %s", (_when, given, gone) => {
    expect(ids({ state, ...given })).toEqual(gone ? [[], ["line-1"]] : [["line-1"], []]);
  });

  it("may still be unsent, and is listed once", () => {
    expect(ids({ state, items: [itemOf(1)], sent: [sentAs(1)] })).toEqual([["line-1"], []]);
    expect(ids({ items: [itemOf(1), undoOf(1, 2)] })).toEqual([[], ["line-1"]]);
    expect(ids({ sent: [sentAs(1)], items: [undoOf(1, 2)] })).toEqual([[], ["line-1"]]);
    expect(ids({ items: [undoOf(7, 2)] })).toEqual([[], []]);
  });
});

describe("the text about unsent lines", () => {
  const three = [itemOf(1), itemOf(2), itemOf(3)];
  it.each([
    [three, "connection", "No connection. 3 unsent lines will be sent when it is back."],
    [[itemOf(1)], "connection", "No connection. 1 unsent line will be sent when it is back."],
    [[undoOf(1, 2)], "connection", "No connection. 1 unsent change will be sent when it is back."],
    [three, "unavailable", "Signet isn't responding. 3 unsent lines will be sent as soon as it is."],
    [
      three,
      "signed-out",
      "Your session has ended. 3 unsent lines are saved on this device. Sign in again to send them.",
    ],
    [[itemOf(1)], "updated", "Signet was updated. 1 unsent line is saved on this device. Reload the page to send it."],
  ] as const)("%#", (items, blockedBy, text) => {
    expect(blockedText(items, { blockedBy }, format)).toBe(text);
  });
});
