import { expect, test } from "vitest";
import { sameLetters } from "@/lib/format/text";

test.each([
  ["NÚÑEZ", "nunez", true],
  ["Nu\u0301n", "nún", true],
  ["Nun", "num", false],
  ["Nun", "nu", false],
])("compares the letters of %s and %s: %s", (a, b, same) => {
  expect(sameLetters(a, b)).toBe(same);
});
