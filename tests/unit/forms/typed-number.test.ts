import { expect, test } from "vitest";
import { z } from "zod";
import { formatOf } from "@/lib/format/format-of";
import { fieldNumber, withoutSeparators } from "@/lib/forms/read-number";
import { typedNumber } from "@/lib/forms/typed-number";

test.each([
  ["12500", 12_500],
  ["12,500", 12_500],
  [" 1,234,567 ", 1_234_567],
  ["12 500", 12_500],
  ["12'500", 12_500],
  ["0", 0],
  ["", null],
  [7, 7],
])("reads %j as %j", (typed, number) => {
  expect(typedNumber(z.number().nullable()).parse(typed)).toBe(number);
});

test.each(["12,50", "1,2,3", "2,5", "many", "1,234,5", "30.000", "1.200.000", "32.500", "2.5", "1e3", "-5"])(
  "refuses %j",
  (typed) => {
    expect(typedNumber(z.number()).safeParse(typed).success).toBe(false);
  },
);

test("names the number with commas instead of points for thousands", () => {
  expect(typedNumber(z.number()).safeParse("1.200.000").error?.issues[0]?.message).toBe(
    "Enter 1,200,000 instead of 1.200.000",
  );
});

test.each([
  ["en-US", 50_000, "50,000"],
  ["en-US", 2.5, "2.5"],
  ["en-US", 0.3333, "0.3333"],
  ["de-DE", 50_000, "50000"],
  ["en-IN", 1_250_000, "1250000"],
])("a field in %s shows %d as %j, which it reads as the same", (locale, value, text) => {
  expect(fieldNumber(value, formatOf({ locale, timeZone: "UTC" }).number)).toBe(text);
  expect(Number(withoutSeparators(text))).toBe(value);
});
