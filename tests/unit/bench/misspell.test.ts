import { expect, test } from "vitest";
import { misspell } from "../../../bench/support/misspell.ts";
import { censusNames } from "../../../scripts/demo-data/census-names.ts";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";

const name = { first: "elizabeth", last: "hernandez" };
const random = seededRandom(1);
const made = Array.from({ length: 4_000 }, () => misspell(name, random));
const share = (is: (spelled: typeof name) => boolean) => made.filter(is).length / made.length;

test("makes one slip per name: mostly in the last name, otherwise in the first, or swaps both", () => {
  expect(share(({ first, last }) => first === name.last && last === name.first)).toBeCloseTo(0.06, 1);
  expect(share(({ first, last }) => first === name.first && last !== name.last)).toBeCloseTo(0.66, 1);
  expect(share(({ first, last }) => first !== name.first && last === name.last)).toBeCloseTo(0.28, 1);
  expect(share(({ first, last }) => first === name.first && last === name.last)).toBe(0);
});

test("makes the same slips from the same seed", () => {
  expect(misspell(name, seededRandom(7))).toEqual(misspell(name, seededRandom(7)));
});

test("draws names with their shares in the census", () => {
  const { first, last } = censusNames();
  for (const list of [first, last]) expect(list.reduce((sum, entry) => sum + entry.share, 0)).toBeCloseTo(1, 6);
  expect(last.slice(0, 3).map((entry) => entry.name)).toEqual(["Smith", "Johnson", "Williams"]);
  const shareOf = (name: string) => last.find((entry) => entry.name === name)?.share ?? 0;
  expect(shareOf("Smith")).toBeCloseTo(0.0114, 3);
  expect(shareOf("Garcia")).toBeGreaterThan(shareOf("Nguyen"));
  expect(shareOf("Nguyen")).toBeGreaterThan(0.0001);
  expect(first[0]?.name).toBe("James");
});
