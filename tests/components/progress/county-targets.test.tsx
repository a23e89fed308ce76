import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { CountyTargets } from "@/components/progress/overview/county-targets";
import { assessProgress } from "@/lib/progress/forecast";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";

// 100 lines a day, of which 90 are valid, and 30 days to go.
const facts = { accepted: 2_700, goal: 4_000, endsOn: "2026-12-22", withCounty: { accepted: 2_662, entered: 2_950 } };
const county = (name: string, target: number, entered: number, accepted: number, lately: number) => ({
  county: name,
  target,
  entered,
  accepted,
  lately,
});

test("says why each county is short, and how many valid lines name none", () => {
  const counties = [
    county("Clark", 1_500, 600, 540, 70),
    county("King", 1_000, 1_300, 1_200, 350),
    county("Lewis", 1_200, 900, 600, 70),
    county("Pierce", 700, 600, 540, 210),
    county("Yakima", 1_300, 600, 540, 210),
  ];
  const progress = campaignCounts(steady(30, 100), { ...facts, counties });
  const place = { team: "north", campaign: "lakes" };
  render(<CountyTargets place={place} linked={false} canEdit {...assessProgress(progress)} />);
  const names = screen.getAllByRole("row").map((row) => row.querySelector("td")?.textContent);
  expect(names.slice(1).toSorted()).toEqual([
    "ClarkAt riskFew lines: 10 valid a day, 32 needed on average, under 1% likely",
    "KingReached",
    "LewisAt riskLow validity: 66.7% of 900 lines, 90.2% in all counties",
    "Pierce30 valid a day, 5.4 needed on average, over 99% likely",
    expect.stringMatching(/^YakimaAt risk30 valid a day, 26 needed on average, [5-8]\d% likely$/),
  ]);
  expect(screen.getByRole("link", { name: "Change targets" }).getAttribute("href")).toBe(
    "/north/campaign/lakes/settings#county-targets",
  );
  expect(
    screen.getByText(/of all teams, per day over the last 7 days\. 38 valid lines name no county\./),
  ).toBeDefined();
  expect(
    screen.getByText(/at the pace of collection over the last 28 days is shared .* signatures over the last 7 days\.$/),
  ).toBeDefined();
});
