import { describe, expect, it } from "vitest";
import { blockedText } from "@/components/signatures/entry/outbox-list";
import { formatOf } from "@/lib/format/format-of";
import { linesOfSheet, lineToResume, ownLines, type SentItem } from "@/lib/signatures/entry/shown-lines";
import type { Outcome } from "@/lib/signatures/outbox/send";
import { rejections, verdictWords } from "@/lib/signatures/verdicts";
import {
  at,
  itemOf,
  refusal,
  rejected,
  sentAs,
  sheetOf,
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
    expect(live.map(({ line, name, stateText, stored }) => [line, name, stateText, stored])).toEqual([
      [4, "Okafor, Ben", "valid", false],
      [3, "Okafor, Ben", "valid", true],
      [2, "Okafor, Ben", "valid", true],
      [1, "Smith, Ada", "valid", true],
    ]);
  });

  it("have the house number of a signer who isn't a voter", () => {
    const unmatched = {
      verdict: "not-found",
      voterId: null,
      lastName: "smith",
      firstName: "ada",
      address: "12",
    } as const;
    expect(show({ state: stateOf([storedLine(1, unmatched)]) }).live[0]?.name).toBe("smith, ada, 12");
    expect(show({ state: stateOf([storedLine(1, { address: "12 Oak St" })]) }).live[0]?.name).toBe("Smith, Ada");
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
      itemOf(5, { kind: "unreadable", text: "{" }, { refused: { reason: "invalid", error: "It cannot be read." } }),
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
    [
      "on no sheet",
      { outcome: "duplicate", of: { ownTeam: true, enteredBy: "Jun Park" } },
      "duplicate · entered by Jun Park",
    ],
    ["of another team", { outcome: "duplicate", of: { ownTeam: false } }, "duplicate · with another team"],
    ["of a deleted line", { outcome: "duplicate", of: null }, "duplicate"],
  ])("a duplicate %s says so", (_case, outcome, stateText) => {
    expect(show({ sent: [sentAs(1, outcome)] }).live).toMatchObject([{ state: "duplicate", stateText }]);
  });

  it.each([...rejections, "blank"] as const)("a line entered or stored as %s has that verdict", (verdict) => {
    const expected = [{ state: verdict, stateText: verdictWords[verdict], name: "oka, b" }];
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
  const restored = itemOf(4, { kind: "restore", of: "line-1" });
  const state = stateOf([storedLine(1)]);
  it.each<[string, Partial<Parameters<typeof ownLines>[0]>, boolean]>([
    ["at once", { items: [undoOf(1, 2)] }, true],
    ["when it is stored", { sent: [{ item: undoOf(1, 2), outcome: { outcome: "stored" } }] }, true],
    ["when it was read as removed", { state: stateOf([storedLine(1, { removedAt: at(3) })]) }, true],
    ["when its line arrived after it was removed", { sent: [sentAs(1, { outcome: "stored" })] }, true],
    ["not when it is refused", { items: [undoOf(1, 2, { refused: refusal })] }, false],
    ["not when the line was stored", { sent: [sentAs(1)] }, false],
    ["not when it is restored", { state: stateOf([storedLine(1, { removedAt: at(3) })]), items: [restored] }, false],
    [
      "when it is undone after that",
      { sent: [{ item: restored, outcome: { outcome: "stored" } }], items: [undoOf(1, 5)] },
      true,
    ],
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
    [three, "connection", "No connection. 3 unsent lines will be sent when you're back online."],
    [[itemOf(1)], "connection", "No connection. 1 unsent line will be sent when you're back online."],
    [[undoOf(1, 2)], "connection", "No connection. 1 unsent change will be sent when you're back online."],
    [[itemOf(1), undoOf(2, 1)], "connection", "No connection. 2 unsent changes will be sent when you're back online."],
    [three, "unavailable", "Signet isn't responding. 3 unsent lines will be sent when it's back."],
    [three, "signed-out", "Your session has ended. Sign in again to send 3 unsent lines saved on this device."],
    [[itemOf(1)], "updated", "Signet was updated. Reload the page to send 1 unsent line saved on this device."],
  ] as const)("%#", (items, blockedBy, text) => {
    expect(blockedText(items, { blockedBy }, format)).toBe(text);
  });
});

type OnSheet = Partial<Parameters<typeof ownLines>[0]> & { sheet?: ReturnType<typeof sheetOf>; number?: number };
const linesOn = ({ sheet, number = 12, ...given }: OnSheet) =>
  linesOfSheet(number, { sheet: sheet ?? null, own: show(given).live, items: [], sent: [], ...given });
const summary = (given: OnSheet) =>
  [...linesOn(given).values()].map((one) => [one.line, one.name, one.state, one.stored, one.enteredBy, one.mine]);

describe("the lines of a sheet", () => {
  it("are stored lines of everyone, with who entered them", () => {
    const sheet = sheetOf([{}, { verdict: "blank", firstName: null, lastName: null, mine: true }, { enteredBy: null }]);
    expect(summary({ sheet })).toEqual([
      [1, "Smith, Ada", "accepted", true, "Jun Park", false],
      [2, "", "blank", true, "Jun Park", true],
      [3, "Smith, Ada", "accepted", true, null, false],
    ]);
  });

  it("include lines that this device has sent or not sent yet", () => {
    expect(summary({ sent: [sentAs(1)], items: [itemOf(2), itemOf(3, rejected(3, "blank"))] })).toEqual([
      [3, "", "blank", false, null, true],
      [2, "Okafor, Ben", "accepted", false, null, true],
      [1, "Okafor, Ben", "accepted", true, null, true],
    ]);
  });

  it("are only those of this sheet", () => {
    const given = {
      sheet: sheetOf([{}], 13),
      items: [itemOf(4, signature(4, 13)), itemOf(5, typed(5, 13))],
      state: stateOf([storedLine(6, { sheet: 13 }), storedLine(7, { sheet: null }), storedLine(8, { line: null })]),
    };
    expect(summary(given)).toEqual([]);
    expect(summary({ ...given, number: 13 }).map(([line]) => line)).toEqual([1, 6, 4, 5]);
  });

  it("exclude undone lines, whether Signet knows it or not, so that another line can replace them", () => {
    const sheet = sheetOf([{}, {}]);
    expect(summary({ sheet, items: [undoOf(1, 9)] }).map(([line]) => line)).toEqual([2]);
    const sent: SentItem[] = [{ item: undoOf(2, 9), outcome: { outcome: "stored" } }];
    expect(summary({ sheet, sent }).map(([line]) => line)).toEqual([1]);
    expect(summary({ sheet, items: [undoOf(1, 9, { refused: refusal })] }).map(([line]) => line)).toEqual([1, 2]);
    const again = itemOf(10, signature(1), { id: "again" });
    expect(linesOn({ sheet, items: [undoOf(1, 9), again] }).get(1)).toMatchObject({ id: "again", stored: false });
  });

  it("show the line of this device when both are there, once", () => {
    const lines = linesOn({ sheet: sheetOf([{ mine: true }]), sent: [sentAs(1)] });
    expect([...lines.keys()]).toEqual([1]);
    expect(lines.get(1)).toMatchObject({ id: "line-1", name: "Okafor, Ben", mine: true });
  });

  it("show the stored line, not one on the same line that was refused or is to be looked up", () => {
    const items = [itemOf(1, signature(1), { refused: refusal }), itemOf(2, typed(2))];
    const sheet = sheetOf([{ verdict: "blank" }, { mine: true }]);
    expect(summary({ sheet, items }).map(([line, , state]) => [line, state])).toEqual([
      [1, "blank"],
      [2, "accepted"],
    ]);
  });

  it("show lines to be looked up and refused lines where no other line is", () => {
    const refused = { refused: refusal };
    const items = [
      itemOf(5, typed(5)),
      itemOf(6, signature(6), refused),
      itemOf(7, rejected(7, "not-found", { name: "oka, b" }), refused),
    ];
    expect(summary({ items })).toEqual([
      [5, "oka, b", "typed", false, null, true],
      [6, "Okafor, Ben", "refused", false, null, true],
      [7, "oka, b", "refused", false, null, true],
    ]);
    const taken = { refused: { reason: "line-taken", error: "Sheet 12, line 1 is taken." } as const };
    expect(linesOn({ items: [itemOf(9, signature(1), taken)] }).get(1)).toMatchObject({
      state: "refused",
      stateText: "line already used",
    });
  });
});

describe("the line at which a sheet is resumed", () => {
  const sheet = { number: 12, nextLine: 3, lines: 4, signatureCount: null };
  it.each<[string, Partial<Parameters<typeof lineToResume>[0]>, number[], number | null]>([
    ["the first empty one", {}, [], 3],
    ["after lines that aren't sent yet", {}, [1, 3, 4, 6], 5],
    ["none on a full sheet", { nextLine: 21, lines: 20 }, [], null],
    ["none once all its signatures are entered", { nextLine: 5, signatureCount: 4 }, [], null],
    ["one more for each blank line", { nextLine: 5, lines: 3, signatureCount: 4 }, [], 5],
    ["a gap, although lines follow it", { nextLine: 4, lines: 4, signatureCount: 4 }, [], 4],
  ])("is %s", (_what, given, unsent, expected) => {
    const own = show({ items: unsent.map((line) => itemOf(line)) }).live;
    expect(lineToResume({ ...sheet, ...given }, { own, linesPerSheet: 20 })).toBe(expected);
  });
});
