import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { AccessMatrix } from "@/components/team-access/access-matrix";
import { allPermissionKeys } from "@/lib/permissions/permission-keys";

it("shows each permission in each place as in force, and leads to why", () => {
  const places = [
    { campaign: null, name: "Riverside, team-wide", keys: ["members.view"] },
    { campaign: "water", name: "Clean water", keys: ["members.view", "charts.view"] },
    { campaign: "parks", name: "Open parks", keys: null },
  ];
  render(<AccessMatrix path="/r/members/u" places={places} question={{ key: "charts.view", campaign: "water" }} />);
  const table = within(screen.getByRole("table"));
  expect(table.getAllByRole("link")).toHaveLength(3 * allPermissionKeys.length);
  const link = (name: string) => table.getByRole("link", { name });
  expect(table.getAllByRole("link", { name: /^Allowed/ })).toHaveLength(3);
  expect(link("Allowed: See charts in Clean water. Show why").getAttribute("aria-current")).toBe("true");
  expect(link("Not allowed: See members in Open parks. Show why").getAttribute("href")).toBe(
    "/r/members/u?why=members.view&in=parks",
  );
  expect(link("Allowed: See members in Riverside, team-wide. Show why").getAttribute("href")).toMatch(
    /why=members\.view&in=$/,
  );
  for (const heading of table.getAllByRole("columnheader").slice(1))
    expect(heading.className).toContain("print:wrap-normal");
  table.getByText("No access");
  // The list of narrow screens has the same, by place, with the asked place open.
  const [team, water, parks] = screen.getAllByRole("group");
  expect([team, water, parks].map((place) => place?.hasAttribute("open"))).toEqual([false, true, false]);
  const cell = within(water ?? document.body).getByRole("link", { name: /^Yes:\s*See charts$/ });
  expect(cell.getAttribute("href")).toBe("/r/members/u?why=charts.view&in=water#why");
});
