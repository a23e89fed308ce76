import { expect, test } from "vitest";
import { countyTargetsText, readCountyTargets } from "@/lib/campaigns/county-targets";
import { validNeeded } from "@/lib/campaigns/valid-needed";
import { formatOf } from "@/lib/format/format-of";

test.each([
  ["King, 12,000", "King", 12_000],
  ["King\t12,000", "King", 12_000],
  ["  Walla Walla 1 200 ", "Walla Walla", 1_200],
  ["Prince George's; 300", "Prince George's", 300],
  ["King: 7", "King", 7],
  ["Kitsap = 600", "Kitsap", 600],
  ["King\t5,600\t46%", "King", 5_600],
  ["King County 7", "King", 7],
  ['"King","12,000"', "King", 12_000],
  ["Benton - 900", "Benton", 900],
  ["Benton–1,900", "Benton", 1_900],
  ["Thurston (1000)", "Thurston", 1_000],
  ["Miami-Dade - 40", "Miami-Dade", 40],
  ["King 12k", "King", 12_000],
  ["King, 12 K;", "King", 12_000],
  ["• Thurston 900", "Thurston", 900],
  ["- King 900", "King", 900],
])("reads %j", (line, county, target) => {
  expect(readCountyTargets(line)).toEqual({ targets: [{ county, target }], notes: [] });
});

test("skips empty lines, titles and totals, and reads what it writes", () => {
  const { targets, notes } = readCountyTargets(
    "County\tTarget\r\n\r\nKing\t12,000\r\nPierce\t400\r\nTotal\t12,400\r\n",
  );
  expect(targets).toHaveLength(2);
  expect(notes).toEqual([{ text: "Line 5: Skipped the Total line.", isProblem: false }]);
  for (const locale of ["en-US", "de-DE", "fr-FR", "hi-IN"]) {
    const text = countyTargetsText(targets, formatOf({ timeZone: "UTC", locale }).number);
    expect(readCountyTargets(text).targets).toEqual(targets);
  }
  expect(countyTargetsText(targets, formatOf().number)).toBe("King, 12,000\nPierce, 400");
});

test("reads several counties on a line", () => {
  const { targets, notes } = readCountyTargets("King; 12,000; Pierce 4k; Clark = 900\nLewis; many; King 5");
  expect(targets.map(({ county, target }) => `${county} ${target}`)).toEqual([
    "King 12000",
    "Pierce 4000",
    "Clark 900",
  ]);
  expect(notes).toEqual([
    { text: "Line 2: “many; King 5” isn't a whole number from 1 to 100,000,000.", isProblem: true },
  ]);
});

test("names each wrong line", () => {
  const { targets, notes } = readCountyTargets(
    "King, 5\nPierce\nClark, many\nking county, 6\nLewis, 0\nAdams, 1.5\nF,\nPierce\t3.000",
  );
  expect(targets).toEqual([{ county: "King", target: 5 }]);
  expect(notes.map(({ text }) => text)).toEqual([
    "Line 2: “Pierce” needs a county and a number, such as King, 12,000.",
    "Line 3: “many” isn't a whole number from 1 to 100,000,000.",
    "Line 4: king is listed twice.",
    "Line 5: “0” isn't a whole number from 1 to 100,000,000.",
    "Line 6: “1.5” isn't a whole number from 1 to 100,000,000.",
    "Line 7: “F,” needs a county and a number, such as King, 12,000.",
    "Line 8: “3.000” isn't a whole number from 1 to 100,000,000. Did you mean 3,000?",
  ]);
});

test("a line of spaces doesn't take long", () => {
  const { notes } = readCountyTargets(`a${" ".repeat(39_000)}a`);
  const text = `Line 1: “a${" ".repeat(49)}” needs a county and a number, such as King, 12,000.`;
  expect(notes).toEqual([{ text, isProblem: true }]);
});

test("reads at most 300 counties", () => {
  const text = Array.from({ length: 301 }, (_, index) => `County ${index}x, 5`).join("\n");
  expect(readCountyTargets(text).notes).toEqual([{ text: "Enter at most 300 counties.", isProblem: true }]);
});

// 10,000 with a margin of 10 % are 11,000, of which 88 % remain of 12,500.
test("finds how many valid signatures are needed", () => {
  expect(validNeeded({ required: 10_000, margin: 10, rejection: 12 })).toBe(12_500);
  expect(validNeeded({ required: 10_000, margin: 0, rejection: 0 })).toBe(10_000);
});
