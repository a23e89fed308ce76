import { expect, it } from "vitest";
import type { ChartColumn } from "@/lib/charts/chart-source";
import { offeredColumns } from "@/lib/charts/offered-columns";

const day = { of: "signed_on", unit: "week" } as const;
const columns: ChartColumn[] = [
  { name: "id", label: "Line id", type: "uuid" },
  { name: "team_id", label: "Team", type: "text" },
  { name: "voter_id", label: "Voter id", type: "text" },
  { name: "entered_by", label: "Entered by (id)", type: "uuid" },
  { name: "county", label: "County", type: "text" },
  { name: "identity", label: "Identity", type: "text" },
  { name: "note", label: "Note", type: "text", identifies: true },
  { name: "signed_on", label: "Signed on", type: "date" },
  { name: "signed_on_week", label: "Signed on by week", type: "date", part: day },
];
const offered = (empty: string[], seesSigners = true) =>
  offeredColumns(columns, { empty, seesSigners }).map(({ name }) => name);

it("leaves ids out, and what no record has with its parts", () => {
  expect(offered([])).toEqual(["county", "identity", "note", "signed_on", "signed_on_week"]);
  expect(offered(["note", "signed_on"])).toEqual(["county", "identity"]);
});

it("leaves out what tells who signed where that may not be seen", () => {
  expect(offered([], false)).toEqual(["county", "identity", "signed_on", "signed_on_week"]);
});
