import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { AccessMatrix } from "@/components/team-access/access-matrix";
import { allPermissionKeys } from "@/lib/permissions/permission-keys";

it("shows each permission in each place as in force, and leads to why", () => {
  const places = [
    { campaign: null, name: "Riverside, team-wide", keys: ["members.view"] },
    { campaign: "water", name: "Clean water", keys: ["members.view", "charts.view"] },
    { campaign: "parks", name: "Open parks", keys: null },
  ];
  render(<AccessMatrix path="/r/members/u" places={places} asked={{ key: "charts.view", campaign: "water" }} />);
  expect(screen.getAllByRole("link")).toHaveLength(3 * allPermissionKeys.length);
  const link = (name: string) => screen.getByRole("link", { name });
  expect(screen.getAllByRole("link", { name: /^Yes/ })).toHaveLength(3);
  expect(link("Yes: why See charts in Clean water").getAttribute("aria-current")).toBe("true");
  expect(link("No: why See members in Open parks").getAttribute("href")).toBe("/r/members/u?why=members.view&in=parks");
  expect(link("Yes: why See members in Riverside, team-wide").getAttribute("href")).toMatch(/why=members\.view&in=$/);
  screen.getByText("no access");
});
