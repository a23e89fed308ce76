import { expect, test } from "vitest";
import { pacePerHour, validityRate } from "../../../lib/signatures/verdicts.ts";

test.each([
  ["a full hour", 60, "2026-11-21T10:00:00.000Z", 60],
  ["half an hour", 60, "2026-11-21T10:30:00.000Z", 120],
  ["a moment, counted as 5 minutes", 2, "2026-11-21T10:59:58.000Z", 24],
  ["a slow clock", 1, "2026-11-21T11:00:05.000Z", 12],
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
