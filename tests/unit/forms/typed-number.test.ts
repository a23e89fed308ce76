import { expect, test } from "vitest";
import { z } from "zod";
import { typedNumber } from "@/lib/forms/typed-number";

test.each([
  ["12500", 12_500],
  ["12,500", 12_500],
  [" 1,234,567 ", 1_234_567],
  ["12 500", 12_500],
  ["12'500", 12_500],
  ["2.5", 2.5],
  ["1,234.5", 1_234.5],
  ["0", 0],
  ["", null],
  [7, 7],
])("reads %j as %j", (typed, number) => {
  expect(typedNumber(z.number().nullable()).parse(typed)).toBe(number);
});

test.each(["12,50", "1,2,3", "2,5", "many", "1,234,5"])("refuses %j", (typed) => {
  expect(typedNumber(z.number()).safeParse(typed).success).toBe(false);
});
