import { expect, test } from "vitest";
import { equalIgnoringCase } from "@/lib/format/text";

test.each([
  ["NÚÑEZ", "nunez", true],
  ["Nu\u0301n", "nún", true],
  ["Nun", "num", false],
  ["Nun", "nu", false],
])("compares the letters of %s and %s: %s", (a, b, same) => {
  expect(equalIgnoringCase(a, b)).toBe(same);
});
