import { expect, test } from "vitest";
import { plannedErasures } from "@/lib/campaigns/planned-erasures";

const on = (day: string) => `2026-${day}T12:00:00.000Z`;
const now = on("11-20");

test.each([
  ["after the period", on("11-01"), null, on("12-31")],
  ["14 days from now if it is over, after a warning", on("01-01"), null, on("12-04")],
  ["when its warning says", on("01-01"), on("11-25"), on("11-25")],
  ["later if the period was extended", on("10-15"), on("11-25"), on("12-14")],
])("a campaign is erased %s", (_when, archivedAt, eraseAt, expected) => {
  expect(plannedErasures([{ name: "Lakes", archivedAt, eraseAt }], 60, now)).toEqual([{ name: "Lakes", at: expected }]);
});

test("the soonest is first", () => {
  const campaigns = ["10-20", "10-01"].map((day) => ({ name: day, archivedAt: on(day), eraseAt: null }));
  expect(plannedErasures(campaigns, 90, now).map(({ name }) => name)).toEqual(["10-01", "10-20"]);
});
