import { expect, test } from "vitest";
import { sameLetters } from "@/lib/format/text";

test.each([
  ["NÚÑEZ", "nunez", true],
  ["Nu\u0301n", "nún", true],
  ["Nun", "num", false],
  ["Nun", "nu", false],
])("%s and %s are the same letters: %s", (a, b, same) => {
  expect(sameLetters(a, b)).toBe(same);
});
