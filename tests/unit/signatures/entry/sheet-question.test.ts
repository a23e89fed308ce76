import { expect, it } from "vitest";
import { formatOf } from "@/lib/format/format-of";
import { sheetQuestion } from "@/lib/signatures/entry/sheet-question";

const format = formatOf({ locale: "en-US", timeZone: "UTC" });
const year = new Date().getUTCFullYear();
const known = {
  sheet: null,
  isSuggested: false,
  others: [7, 12],
  linesPerSheet: 20,
  startsOn: "2026-10-01",
  collectedOn: null,
  circulator: null,
  circulators: ["Maria Vega"],
  signatureCount: null,
};
const linesTo = (last: number, blank?: number) =>
  Array.from({ length: last }, (_, index) => index + 1).map((line) => ({
    line,
    verdict: line === blank ? ("blank" as const) : ("accepted" as const),
  }));
const closed = {
  closedAt: `${year}-10-08T12:00:00Z`,
  entered: linesTo(15),
  signatureCount: 15,
  mine: false,
  openedBy: "Jun Park",
};
const open = { ...closed, closedAt: null };
const far = "The closest sheet number is 12. Start sheet 113 anyway?";
const both = "The closest sheet number is 12. “Mario Vega” has no sheets yet. Did you mean Maria Vega?";

it.each<[string, Partial<Parameters<typeof sheetQuestion>[0]>, string | null]>([
  ["a closed sheet", { number: 100, sheet: closed }, "Sheet 100 was closed on Oct 8 with 15 of 15 lines. Reopen it?"],
  [
    "a closed sheet without a count",
    { number: 100, sheet: { ...closed, signatureCount: null } },
    "Sheet 100 was closed on Oct 8 with 15 of 20 lines. Reopen it?",
  ],
  [
    "a closed sheet with a blank line that is full",
    { number: 100, sheet: { ...closed, entered: linesTo(20, 7), signatureCount: 20 } },
    "Sheet 100 was closed on Oct 8 with 20 of 20 lines: 19 signatures, 1 blank. Reopen it?",
  ],
  [
    "a closed sheet with a blank line that isn't full",
    { number: 100, sheet: { ...closed, entered: linesTo(15, 7) } },
    "Sheet 100 was closed on Oct 8 with 15 of 16 lines: 14 signatures, 1 blank. Reopen it?",
  ],
  ["an open sheet", { number: 900, sheet: open }, null],
  ["a suggested number that is free", { isSuggested: true }, null],
  ["a suggested number that is theirs", { isSuggested: true, sheet: { ...open, mine: true } }, null],
  [
    "a suggested number that someone else has taken since",
    { isSuggested: true, sheet: open },
    "Jun Park has just opened sheet 13. Resume it?",
  ],
  ["a number near others", { number: 112 }, null],
  ["a number far from others", { number: 113 }, far],
  ["the first sheet", { number: 5001, others: [] }, null],
  ["a known circulator", { number: 13, circulator: "maria vega" }, null],
  [
    "a new circulator",
    { number: 13, circulator: "Mario Vega" },
    "“Mario Vega” has no sheets yet. Did you mean Maria Vega?",
  ],
  [
    "more signatures than lines",
    { number: 13, signatureCount: 30 },
    "30 signatures is more than the 20 lines on a sheet. Start sheet 13 anyway?",
  ],
  ["a full sheet", { number: 13, signatureCount: 20 }, null],
  ["the first circulator", { number: 13, circulator: "Mario Vega", circulators: [] }, null],
  ["a day of the campaign", { collectedOn: "2026-10-01" }, null],
  [
    "a day before the campaign",
    { collectedOn: "2026-09-30" },
    "Sep 30, 2026 is before the campaign's first day, Oct 1, 2026. Start sheet 13 anyway?",
  ],
  [
    "fewer signatures than are entered",
    { number: 100, sheet: open, signatureCount: 14 },
    "This sheet already has 15 signatures entered, more than 14. Resume sheet 100 anyway?",
  ],
  [
    "a far number and a new circulator when a sheet is saved",
    { number: 113, circulator: "Mario Vega", confirm: "Save again." },
    `${both} Save again.`,
  ],
  ["a closed sheet that is saved", { number: 100, sheet: closed, confirm: "Save again." }, null],
  ["both", { number: 113, circulator: "Mario Vega" }, both],
])("before a sheet is opened, a question is asked about %s or none", (_what, given, text) => {
  expect(sheetQuestion({ number: 13, ...known, ...given }, format)?.text ?? null).toBe(text);
});

it.each([
  ["mario vega", "Maria Vega"],
  ["maria", "Maria Vega"],
  ["Jun Park", undefined],
])("a new circulator is compared with the known ones: %s", (circulator, meantCirculator) => {
  const question = sheetQuestion({ number: 13, ...known, circulator }, format);
  expect(question).toMatchObject({ text: expect.stringContaining(circulator), field: "circulator" });
  expect(question?.meantCirculator).toBe(meantCirculator);
});

it("a question is about the first field to correct", () => {
  const field = (given: object) =>
    sheetQuestion({ number: 13, ...known, circulator: "Jun Park", ...given }, format)?.field;
  expect(field({ collectedOn: "2026-09-30" })).toBe("collectedOn");
  expect(field({ signatureCount: 30 })).toBe("signatureCount");
  expect(field({ number: 113 })).toBe("sheet");
});
