import { describe, expect, it } from "vitest";
import type { ShownLine } from "@/lib/signatures/entry/shown-lines";
import { withOwnLines } from "@/lib/signatures/entry/shown-lines";
import type { SignedMark } from "@/lib/signatures/signed-mark";

const at = "2026-11-03T12:00:00.000Z";
const line = (given: Partial<ShownLine> = {}): ShownLine => ({
  id: "a",
  sheet: 12,
  line: 4,
  name: "Smith, Ada",
  state: "accepted",
  stateText: "accepted",
  voterId: "WA-1",
  stored: false,
  enteredBy: null,
  mine: true,
  enteredAt: at,
  ...given,
});
const signedAt = (sheet: number, line: number): SignedMark => ({
  state: "signed",
  at: { ownTeam: true, enteredAt: at, enteredBy: "Jun Park", sheet, line },
});
const mine: SignedMark = {
  state: "signed",
  at: { ownTeam: true, enteredAt: at, enteredBy: "you", sheet: 12, line: 4 },
};
const marksOf = (mark?: SignedMark) => new Map(mark ? [["WA-1", mark] as const] : []);
const marked = (mark: SignedMark | undefined, own: { live?: ShownLine[]; undone?: ShownLine[] }) =>
  withOwnLines(marksOf(mark), { live: [], undone: [], ...own }).get("WA-1");

describe("a voter", () => {
  const unsigned: SignedMark = { state: "not-signed" };
  it.each<[what: string, mark: SignedMark | undefined, own: ShownLine, expected: SignedMark | undefined]>([
    ["of an own line has signed, even if Signet doesn't know it yet", unsigned, line(), mine],
    ["of an own line has signed before the check", undefined, line(), mine],
    ["of an own line has signed when no one could be checked", { state: "unchecked" }, line(), mine],
    ["of an own line that isn't valid has not signed", unsigned, line({ state: "duplicate" }), unsigned],
    ["isn't affected by a line without a voter", unsigned, line({ voterId: null, state: "not-found" }), unsigned],
    [
      "of a line without a place has signed",
      unsigned,
      line({ sheet: null, line: null }),
      { state: "signed", at: { ownTeam: true, enteredAt: at, enteredBy: "you", sheet: undefined, line: undefined } },
    ],
  ])("%s", (_what, mark, own, expected) => {
    expect(marked(mark, { live: [own] })).toEqual(expected);
  });

  const [elsewhere, unknown]: SignedMark[] = [
    { state: "signed", at: { ownTeam: false } },
    { state: "signed", at: null },
  ];
  it.each<[what: string, mark: SignedMark | undefined, expected: SignedMark | undefined]>([
    ["has not signed any more", signedAt(12, 4), unsigned],
    ["has signed on another sheet", signedAt(3, 9), signedAt(3, 9)],
    ["has signed on another line of it", signedAt(12, 9), signedAt(12, 9)],
    ["has signed with another team", elsewhere, elsewhere],
    ["has signed at an unknown place", unknown, unknown],
    ["is still being checked", undefined, undefined],
    ["could not be checked", { state: "unchecked" }, { state: "unchecked" }],
  ])("whose line was undone %s", (_what, mark, expected) => {
    expect(marked(mark, { undone: [line()] })).toEqual(expected);
  });

  it("whose line was undone and entered again has signed", () => {
    const again = line({ id: "b", line: 5 });
    expect(marked(signedAt(12, 4), { undone: [line()], live: [again] })).toMatchObject({
      state: "signed",
      at: { line: 5 },
    });
  });
});

it("doesn't change the given marks", () => {
  const marks = marksOf({ state: "not-signed" });
  withOwnLines(marks, { live: [line()], undone: [] });
  expect(marks).toEqual(marksOf({ state: "not-signed" }));
});
