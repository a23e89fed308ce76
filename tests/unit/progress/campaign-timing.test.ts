import { expect, it } from "vitest";
import { formatOf } from "@/lib/format/format-of";
import { campaignTiming } from "@/lib/progress/pace";

const timing = (startsOn: string | null, endsOn: string | null, now: string, timeZone = "UTC") =>
  campaignTiming({ startsOn, endsOn }, formatOf({ locale: "en-US", timeZone }), new Date(now));

it.each([
  ["before the first day", "2026-09-01", "2027-03-14", "2026-08-20T12:00:00Z", "Starts in 12 days"],
  ["the day before the first", "2026-09-01", "2027-03-14", "2026-08-31T23:59:59Z", "Starts in 1 day"],
  ["on the first day", "2026-09-01", "2026-09-11", "2026-09-01T00:00:00Z", "10 days left"],
  ["the day before the last", null, "2027-03-14", "2027-03-13T12:00:00Z", "1 day left"],
  ["on the last day", null, "2027-03-14", "2027-03-14T23:59:59Z", "Last day"],
  ["the day after", null, "2027-03-14", "2027-03-15T00:00:00Z", "Ended 1 day ago"],
  ["over a leap day", null, "2028-03-01", "2028-02-28T12:00:00Z", "2 days left"],
  ["without an end", "2026-09-01", null, "2026-10-01T12:00:00Z", "No last day"],
  ["without dates", null, null, "2026-10-01T12:00:00Z", "No last day"],
])("%s", (_case, startsOn, endsOn, now, expected) => {
  expect(timing(startsOn, endsOn, now)).toBe(expected);
});

it.each([
  ["Pacific/Auckland", "2027-03-14T12:00:00Z", "Ended 1 day ago"],
  ["UTC", "2027-03-14T12:00:00Z", "Last day"],
  ["America/Los_Angeles", "2027-03-15T06:59:59Z", "Last day"],
  ["America/Los_Angeles", "2027-03-15T07:00:00Z", "Ended 1 day ago"], // summer time began on the last day
])("uses the date in %s at %s", (timeZone, now, expected) => {
  expect(timing(null, "2027-03-14", now, timeZone)).toBe(expected);
});
