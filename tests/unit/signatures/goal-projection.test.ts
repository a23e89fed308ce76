import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goalProjection } from "../../../lib/signatures/goal-projection.ts";

const today = "2026-11-21";
const day = (ago: number) => new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10);
const days = (accepted: Record<number, number>) =>
  Object.entries(accepted).map(([ago, count]) => ({ day: day(Number(ago)), accepted: count }));

describe("goalProjection", () => {
  test.each<[what: string, left: number, accepted: Record<number, number>, reachedOn: string | null]>([
    ["100 a day, 300 left: today and two more days", 300, { 1: 100, 2: 100 }, "2026-11-23"],
    ["what is left fits into today", 50, { 1: 100, 2: 100 }, today],
    ["today is the rest of a day's work", 60, { 0: 40, 1: 100 }, today],
    ["a part of today is done", 61, { 0: 40, 1: 100 }, "2026-11-22"],
    ["today did more than usual: nothing more is expected of it", 50, { 0: 300, 1: 100 }, "2026-11-22"],
    ["days without lines count too", 100, { 1: 100, 10: 100 }, "2026-11-25"],
    ["the first day with lines is the first that counts", 200, { 1: 100, 2: 100 }, "2026-11-22"],
    ["14 days back, no more", 100, { 1: 140, 15: 5_000 }, "2026-11-30"],
    ["work that began today goes on so", 100, { 0: 30 }, "2026-11-25"],
    ["work that stopped 14 days ago does not go on", 100, { 15: 100 }, null],
    ["work that stopped, and began again today", 100, { 0: 50, 20: 100 }, "2026-11-23"],
    ["no lines", 100, {}, null],
    ["farther than a hundred years away", 1_000_000, { 1: 1, 14: 1 }, null],
  ])("%s", (_, left, accepted, reachedOn) => {
    expect(goalProjection({ goal: 2_000_000, accepted: 2_000_000 - left, days: days(accepted), today })).toBe(
      reachedOn,
    );
  });

  test.each([
    ["without a goal", null, 5],
    ["with a goal that is reached", 100, 100],
    ["with a goal that is passed", 100, 101],
  ])("is null %s", (_, goal, accepted) => {
    expect(goalProjection({ goal, accepted, days: days({ 1: 5 }), today })).toBeNull();
  });

  test("is never a day in the past, and with more lines never a later one", () => {
    const counts = fc.dictionary(fc.integer({ min: 0, max: 28 }).map(String), fc.integer({ min: 0, max: 500 }));
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 0, max: 500 }), (given, left, more) => {
        const projected = (missing: number) =>
          goalProjection({ goal: 6_000, accepted: 6_000 - missing, days: days(given), today });
        const reachedOn = projected(left + more);
        if (reachedOn !== null) expect(reachedOn >= today).toBe(true);
        const sooner = projected(left);
        if (reachedOn !== null) expect((sooner ?? "none") <= reachedOn).toBe(true);
      }),
    );
  });
});
