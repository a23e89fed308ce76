import { describe, expect, it } from "vitest";
import { closingReport, emptyLines, nextEmptyLine, type ShownLine } from "@/lib/signatures/entry/shown-lines";

const storedAs = { sheet: 12, voterId: null, name: "", stored: true, enteredBy: "Rosa", mine: true, enteredAt: "" };
const line = (number: number, state: ShownLine["state"]): [number, ShownLine] => [
  number,
  { ...storedAs, id: `line-${number}`, line: number, state, words: state },
];
const isIn = (numbers: number[]) => (number: number) => numbers.includes(number);

describe("empty lines", () => {
  it.each([
    [[1, 2, 3], 3, [1, 2, 3]],
    [[2, 5], 6, [2, 5]],
    [[2, 5], 4, [2]],
    [[], 4, []],
    [[1], 0, []],
  ])("%j of a sheet with %i lines are %j", (empty, count, expected) => {
    expect(emptyLines(isIn(empty), count)).toEqual(expected);
  });

  it.each([
    ["the next one", [1, 4, 6], 3, 4],
    ["not the line itself", [4, 6], 4, 6],
    ["behind the last one it begins anew", [1, 2], 4, 1],
    ["the line itself when no other is empty", [4], 4, 4],
    ["from before the first line", [1, 2], 0, 1],
    ["from beyond the sheet", [2], 30, 2],
    ["none on a full sheet", [], 4, null],
    ["none beyond the last line", [9], 4, null],
  ])("%s", (_what, empty, at, expected) => {
    expect(nextEmptyLine(isIn(empty), 8, at)).toBe(expected);
  });
});

describe("what is reported when a sheet is closed", () => {
  const lines = new Map([
    line(1, "accepted"),
    line(2, "accepted"),
    line(3, "duplicate"),
    line(5, "not-found"),
    line(6, "blank"),
    line(7, "typed"),
    line(8, "refused"),
  ]);

  it("is each kind of line with its count, what is not sent, and the empty ones", () => {
    expect(closingReport(lines, 10)).toEqual({
      counts: new Map([
        ["accepted", 2],
        ["duplicate", 1],
        ["not-found", 1],
        ["blank", 1],
      ]),
      open: 2,
      gaps: [4, 9, 10],
    });
  });

  it("misses no line beyond those that the paper has, and tells of the ones that were keyed there", () => {
    const { gaps, counts } = closingReport(new Map([...lines, line(12, "accepted")]), 8);
    expect([gaps, counts.get("accepted")]).toEqual([[4], 3]);
    expect(closingReport(lines, 0).gaps).toEqual([]);
  });

  it("is nothing but gaps on an empty sheet", () => {
    expect(closingReport(new Map(), 3)).toEqual({ counts: new Map(), open: 0, gaps: [1, 2, 3] });
  });
});
