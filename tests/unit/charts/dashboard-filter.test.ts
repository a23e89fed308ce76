import { expect, test } from "vitest";
import { ignoredDashboardFilters } from "@/lib/charts/definition/dashboard-filter";

test("names the filters of an address that are ignored, and no others", () => {
  const query = { days: "foo", county: "Atlantis", from: "2026-02-30", to: "2026-02-28", clerk: "", utm: "x" };
  expect(ignoredDashboardFilters(query)).toEqual(["Date entered “foo”", "First day “2026-02-30”"]);
});
