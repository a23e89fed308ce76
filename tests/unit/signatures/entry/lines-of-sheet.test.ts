import { describe, expect, it } from "vitest";
import { formatOf } from "@/lib/format/format-of";
import { linesOfSheet, ownLines, type SentItem } from "@/lib/signatures/entry/shown-lines";
import type { OutboxItem } from "@/lib/signatures/outbox/outbox";
import {
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
function show({
  sheet = null,
  items = [],
  sent = [],
  state = stateOf([]),
  number = 12,
}: {
  sheet?: ReturnType<typeof sheetOf> | null;
  items?: OutboxItem[];
  sent?: SentItem[];
  state?: ReturnType<typeof stateOf>;
  number?: number;
}) {
  const { live: own } = ownLines({ items, sent, state, format });
  return linesOfSheet(number, { sheet, own, items, sent });
}
const summary = (given: Parameters<typeof show>[0]) =>
  [...show(given).values()].map((one) => [one.line, one.name, one.state, one.stored, one.enteredBy, one.mine]);

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
    expect(show({ sheet, items: [undoOf(1, 9), again] }).get(1)).toMatchObject({ id: "again", stored: false });
  });

  it("show the line of this device when both are there, once", () => {
    const lines = show({ sheet: sheetOf([{ mine: true }]), sent: [sentAs(1)] });
    expect([...lines.keys()]).toEqual([1]);
    expect(lines.get(1)).toMatchObject({ id: "line-1", name: "Okafor, Ben", mine: true });
  });

  it("show lines to be looked up and refused lines, even in place of another line", () => {
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
    const taken = { refused: { why: "line-taken", error: "Sheet 12, line 1 is taken." } as const };
    expect(show({ sheet: sheetOf([{}]), items: [itemOf(9, signature(1), taken)] }).get(1)).toMatchObject({
      state: "refused",
      words: "in conflict",
    });
  });
});
