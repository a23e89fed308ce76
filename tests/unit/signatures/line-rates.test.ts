import { expect, test } from "vitest";
import { pacePerHour, validityRate } from "../../../lib/signatures/verdicts.ts";

test.each([
  ["a full hour", 60, "2026-11-21T10:00:00.000Z", 60],
  ["half an hour", 60, "2026-11-21T10:30:00.000Z", 120],
  ["5 minutes and 10 lines, the least", 10, "2026-11-21T10:55:00.000Z", 120],
  ["less than 5 minutes, as unknown", 20, "2026-11-21T10:55:01.000Z", null],
  ["9 lines, as unknown", 9, "2026-11-21T10:00:00.000Z", null],
  ["a slow clock, as unknown", 10, "2026-11-21T11:00:05.000Z", null],
  ["no line", 0, null, null],
])("computes the pace over %s", (_, lines, since, pace) => {
  expect(pacePerHour({ lines, since, at: "2026-11-21T11:00:00.000Z" })).toBe(pace);
});

test.each([
  [3, 1, 0.75],
  [0, 4, 0],
  [4, 0, 1],
  [0, 0, null],
])("computes the validity of %i valid and %i invalid lines as %s", (accepted, rejected, rate) => {
  expect(validityRate({ accepted, rejected })).toBe(rate);
});
