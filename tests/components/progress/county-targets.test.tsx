import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { CountyTargets } from "@/components/progress/overview/county-targets";
import { assessProgress } from "@/lib/progress/forecast";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";

// 100 lines a day, of which 90 are valid, and 30 days to go.
const facts = { accepted: 2_700, goal: 4_000, endsOn: "2026-12-22", withCounty: { accepted: 2_662, entered: 2_950 } };
const county = (name: string, target: number, entered: number, accepted: number, last7Days: number) => ({
  county: name,
  target,
  entered,
  accepted,
  last7Days,
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
  render(<CountyTargets place={place} linked canEdit {...assessProgress(progress)} />);
  const names = screen.getAllByRole("row").map((row) => row.querySelector("td")?.textContent);
  expect(names.slice(1).toSorted()).toEqual([
    expect.stringMatching(/^ClarkBehind9.3 valid a day, needs 32, under 1% likely/),
    expect.stringMatching(/^KingReached/),
    // On a phone the columns without room follow.
    "LewisBehindLow validity: 66.7% of 900 lines, 90.2% in all countiesShort: 600Per day: 9.3At this pace: not in time",
    expect.stringMatching(/^Pierce28 valid a day, needs 5.4, over 99% likely/),
    expect.stringMatching(/^YakimaAt risk28 valid a day, needs 26, [5-8]\d% likely/),
  ]);
  expect(screen.getByRole("link", { name: "38 valid lines have" }).getAttribute("href")).toMatch(
    /[?&]county=No\+county/,
  );
  expect(screen.getByRole("link", { name: "Change targets" }).getAttribute("href")).toBe(
    "/north/campaign/lakes/settings#county-targets",
  );
  expect(screen.getByText(/all teams' valid signatures\. Daily pace as forecast\./).textContent).toMatch(
    / 38 valid lines have no county\.$/,
  );
  expect(screen.getByText(/are split among the counties in the same shares as over the last 7 days\.$/)).toBeDefined();
});
