import { describe, expect, it } from "vitest";
import { fromWallClock, toOffsetTime, toWallClock } from "@/lib/format/days";

describe("times in the team's time zone", () => {
  it.each([
    ["2026-11-03T14:30", "America/Los_Angeles", "2026-11-03T22:30:00.000Z"],
    ["2026-07-03T14:30", "America/Los_Angeles", "2026-07-03T21:30:00.000Z"],
    ["2026-11-01T00:30", "America/Los_Angeles", "2026-11-01T07:30:00.000Z"],
    ["2026-11-01T03:30", "America/Los_Angeles", "2026-11-01T11:30:00.000Z"],
    ["2026-11-03T14:30", "Asia/Kolkata", "2026-11-03T09:00:00.000Z"],
    ["2026-11-03T14:30", "UTC", "2026-11-03T14:30:00.000Z"],
    ["2026-11-03T14:30:20", "America/Los_Angeles", "2026-11-03T22:30:20.000Z"],
    ["2026-11-03T14:30:00.005", "UTC", "2026-11-03T14:30:00.005Z"],
  ])("%s in %s", (typed, zone, moment) => {
    expect(fromWallClock(typed, zone)).toBe(moment);
    expect(toWallClock(moment, zone)).toBe(typed);
  });

  it("rejects what isn't a time", () => {
    expect([fromWallClock("", "UTC"), fromWallClock("soon", "UTC"), toWallClock("soon", "UTC")]).toEqual([
      null,
      null,
      "",
    ]);
  });

  it.each([
    ["2026-11-03T22:30:00Z", "America/Los_Angeles", "2026-11-03T14:30:00-08:00"],
    ["2026-07-03T21:30:09.5Z", "America/Los_Angeles", "2026-07-03T14:30:09-07:00"],
    ["2026-11-03T19:30:00Z", "Asia/Kolkata", "2026-11-04T01:00:00+05:30"],
    ["2026-11-03T22:30:00Z", "UTC", "2026-11-03T22:30:00+00:00"],
  ])("%s in %s has its offset", (moment, zone, shown) => {
    expect(toOffsetTime(moment, zone)).toBe(shown);
  });
});
