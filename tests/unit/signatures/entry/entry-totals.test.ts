import { describe, expect, it } from "vitest";
import { formatOf } from "@/lib/format/format-of";
import { entryTotals } from "@/lib/signatures/entry/entry-totals";
import { ownLines, type SentItem } from "@/lib/signatures/entry/shown-lines";
import type { OutboxItem } from "@/lib/signatures/outbox/outbox";
import type { EntryState } from "@/lib/signatures/responses";
import { rejections } from "@/lib/signatures/verdicts";
import { at, itemOf, rejected, sentAs, stateOf, storedLine, undoOf } from "../../../support/entry-lines.ts";

const format = formatOf({ locale: "en-US", timeZone: "UTC" });
const totals = (state: EntryState, { items = [], sent = [] }: { items?: OutboxItem[]; sent?: SentItem[] } = {}) =>
  entryTotals(state, ownLines({ items, sent, state, format }).live);

describe("the totals", () => {
  it("add lines entered since they were read, none twice, and the campaign's only once they are sent", () => {
    const state = stateOf([storedLine(1), storedLine(2)]);
    const sent = [sentAs(2), sentAs(3), sentAs(4, { outcome: "duplicate", of: null })];
    expect(totals(state, { sent, items: [itemOf(5)] })).toEqual({
      entered: 5,
      accepted: 4,
      duplicates: 1,
      rejected: 0,
      validity: 0.8,
      pace: null,
      campaign: 101,
    });
    const yesterday = { ...itemOf(5), at: "2026-11-02T23:59:00.000Z" };
    expect(totals(state, { sent, items: [yesterday] })).toMatchObject({ entered: 4, accepted: 3 });
  });

  it.each(rejections)("count %s as invalid", (verdict) => {
    const sent = [sentAs(1), sentAs(2, { outcome: "stored", verdict }, rejected(2, verdict))];
    const of = verdict === "duplicate" ? { duplicates: 1, rejected: 0 } : { duplicates: 0, rejected: 1 };
    expect(totals(stateOf([]), { sent })).toMatchObject({
      entered: 2,
      accepted: 1,
      validity: 0.5,
      campaign: 101,
      ...of,
    });
  });

  it("don't count blank lines: sent, undone, or read before", () => {
    const state = stateOf([storedLine(1), storedLine(2, { verdict: "blank", voterId: null })], {
      mine: { accepted: 1, duplicates: 0, rejected: 0, lastHour: 1, lastHourSince: at(0) },
    });
    const before = totals(state);
    expect(before).toMatchObject({ entered: 1, accepted: 1, duplicates: 0, rejected: 0, validity: 1 });
    const sent = sentAs(3, { outcome: "stored", verdict: "blank" }, rejected(3, "blank"));
    expect(totals(state, { sent: [sent] })).toEqual(before);
    expect(totals(state, { items: [undoOf(2, 9)] })).toEqual(before);
  });

  it("subtract an undone line once, whether it was read or not", () => {
    const state = stateOf([storedLine(1), storedLine(2)]);
    const undone = {
      items: [undoOf(1, 5)],
      sent: [sentAs(3), { item: undoOf(3, 6), outcome: { outcome: "stored" } as const }],
    };
    expect(totals(state, undone)).toMatchObject({ entered: 1, accepted: 1, campaign: 99 });
    const after = stateOf([storedLine(1, { removedAt: at(5) }), storedLine(2)], {
      mine: { ...state.mine, accepted: 1 },
    });
    expect(totals(after, undone)).toMatchObject({ entered: 1, accepted: 1, campaign: 100 });
  });

  it("count a removed line of today again as soon as it is restored", () => {
    const restore = itemOf(9, { kind: "restore", of: "line-1" });
    const removed = storedLine(1, { removedAt: at(5) });
    const state = stateOf([removed], { mine });
    expect(totals(state, { items: [restore] })).toMatchObject({ entered: 1, accepted: 1 });
    const yesterday = { ...state, lines: [{ ...removed, enteredAt: "2026-11-02T23:59:00.000Z" }] };
    expect(totals(yesterday, { items: [restore] })).toMatchObject({ entered: 0 });
  });

  const mine = { accepted: 0, duplicates: 0, rejected: 0, lastHour: 0, lastHourSince: null };
  it("don't subtract an undone line of another day", () => {
    const yesterday = storedLine(1, { enteredAt: "2026-11-02T23:59:00.000Z" });
    const undone = totals(stateOf([yesterday], { mine }), { items: [undoOf(1, 5)] });
    expect(undone).toMatchObject({ entered: 0, accepted: 0 });
  });

  it("have no validity before the first line, and no pace", () => {
    expect(totals(stateOf([], { mine }))).toMatchObject({ entered: 0, validity: null, pace: null });
  });

  it("have a pace from the first line that this page sent", () => {
    const sent = Array.from({ length: 11 }, (_, index) => sentAs(10 + index)); // 12:10 to 12:20, read at 12:00
    expect(totals(stateOf([], { mine, at: at(0) }), { sent })).toMatchObject({ pace: 66 });
  });
});
