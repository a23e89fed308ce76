import { describe, expect, it } from "vitest";
import { formatOf } from "@/lib/format/format-of";
import {
  closingReport,
  emptyLines,
  expectedLines,
  nextEmptyLine,
  type ShownLine,
  withOwnCount,
} from "@/lib/signatures/entry/shown-lines";
import { enteredText } from "@/lib/signatures/line-text";

const storedAs = { sheet: 12, voterId: null, name: "", stored: true, enteredBy: "Rosa", mine: true, enteredAt: "" };
const line = (number: number, state: ShownLine["state"]): [number, ShownLine] => [
  number,
  { ...storedAs, id: `line-${number}`, line: number, state, stateText: state },
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
    ["the first one after the last one", [1, 2], 4, 1],
    ["the line itself when no other is empty", [4], 4, 4],
    ["from before the first line", [1, 2], 0, 1],
    ["from beyond the sheet", [2], 30, 2],
    ["none on a full sheet", [], 4, null],
    ["none beyond the last line", [9], 4, null],
  ])("%s", (_what, empty, at, expected) => {
    expect(nextEmptyLine(isIn(empty), 8, at)).toBe(expected);
  });
});

describe("the lines of a sheet", () => {
  const blank = (...numbers: number[]) => new Map(numbers.map((number) => line(number, "blank")));
  it.each([
    ["those of the paper without a count", null, blank(7), 15],
    ["its signatures", 12, blank(), 12],
    ["its signatures and the blank lines among them", 12, blank(3, 7), 14],
    ["up to the last line of the paper", 15, blank(7), 15],
    ["up to it when its last line is blank", 15, blank(15), 15],
    ["its signatures on longer paper", 23, blank(7), 23],
  ])("are %s", (_what, signatureCount, lines, expected) => {
    expect(expectedLines(signatureCount, { lines, linesPerSheet: 15 })).toBe(expected);
  });
});

describe("the report of a closed sheet", () => {
  const lines = new Map([
    line(1, "accepted"),
    line(2, "accepted"),
    line(3, "duplicate"),
    line(5, "not-found"),
    line(6, "blank"),
    line(7, "typed"),
    line(8, "refused"),
  ]);

  it("counts each kind of line, and gaps", () => {
    expect(closingReport(lines, 10)).toEqual({
      counts: new Map([
        ["accepted", 2],
        ["duplicate", 1],
        ["not-found", 1],
        ["blank", 1],
      ]),
      gaps: [4, 9, 10],
      lines: 4,
      blank: 1,
      expected: 10,
    });
  });

  it("doesn't count unsent lines as entered", () => {
    const textOf = (of = lines) => enteredText(closingReport(of, 10), formatOf());
    expect(textOf()).toBe("5 of 10 lines: 4 signatures, 1 blank");
    expect(textOf(new Map([...lines].filter(([, { state }]) => state !== "blank")))).toBe("4 of 10 lines");
  });

  it("ignores gaps beyond the sheet's lines, but counts lines entered there", () => {
    const { gaps, counts } = closingReport(new Map([...lines, line(12, "accepted")]), 8);
    expect([gaps, counts.get("accepted")]).toEqual([[4], 3]);
    expect(closingReport(lines, 0).gaps).toEqual([]);
  });

  it("has only gaps for an empty sheet", () => {
    expect(closingReport(new Map(), 3)).toEqual({
      counts: new Map(),
      gaps: [1, 2, 3],
      lines: 0,
      blank: 0,
      expected: 3,
    });
  });
});

it("counts the clerk's own lines of a sheet as they are on this device, the one being corrected too", () => {
  const entered = (number: number, state: ShownLine["state"], mine = true) => [number, { state, mine }] as const;
  const lines = new Map([
    entered(1, "accepted"),
    entered(2, "blank"),
    entered(3, "typed"),
    entered(4, "accepted", false),
  ]);
  const jun = { name: "Jun Park", mine: false, lines: 2 };
  const me = { name: null, mine: true, lines: 1 };
  expect(withOwnCount([jun], lines, null)).toEqual([jun, me]);
  expect(
    withOwnCount(
      [
        { ...me, lines: 7 },
        { ...jun, lines: 1 },
      ],
      lines,
      { verdict: "illegible" },
    ),
  ).toEqual([
    { ...me, lines: 2 },
    { ...jun, lines: 1 },
  ]);
  expect(withOwnCount([jun, me], new Map(), null)).toEqual([jun]);
});
