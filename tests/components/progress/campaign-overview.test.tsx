import { render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { CampaignOverview } from "@/components/progress/campaign-overview";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";
import { fullCount } from "../../support/no-official-check.ts";

vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh: () => undefined }) }));
beforeEach(() => void vi.stubGlobal("fetch", () => new Promise(() => undefined)));

test.each<[goal: number | null, step: string]>([
  [null, "Set a goal, and check the lines per sheet and the official check."],
  [500, "Check the settings, such as the lines per sheet and the official check."],
])("before the first line, the first step comes before what needs attention, with the goal %s", (goal, step) => {
  render(
    <CampaignOverview
      place={{ team: "north", campaign: "lakes" }}
      initial={{
        version: "1",
        pageVersion: "",
        progress: campaignCounts([], { goal, endsOn: "2026-12-22" }),
        work: null,
      }}
      teamName="North"
      requests={1}
      failedCharts={[]}
      canEnter
      canEdit
    />,
  );
  expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual([
    "Valid signatures",
    "Forecast",
    "Enter the first sheet",
    "Needs attention",
  ]);
  expect(screen.getAllByRole("listitem")[0]?.textContent).toBe(step);
});

test("shows the verdict, what needs attention, the chart and then numbers, of which those not entered lead to their sheets", () => {
  const sheet = { number: 406, closedAt: "2026-11-12T12:00:00Z", expected: 20, lines: 2 };
  const empty = { rows: [], rest: { count: 0, lines: 0, accepted: 0, duplicates: 0 } };
  const work = {
    circulators: empty,
    clerks: empty,
    counties: empty,
    openSheets: empty,
    shortSheets: { rows: [sheet], rest: { count: 0 } },
    recent: {
      days: [{ day: "2026-11-22", lines: 0, accepted: 0, duplicates: 0 }],
      clerks: empty,
      circulators: empty,
      linesPerCirculator: null,
    },
    outsideDates: 0,
    unsettled: 0,
    duplicatesFreed: empty,
  };
  const progress = campaignCounts(steady(30, 100), { goal: 5_000, endsOn: "2026-12-22", collected: 3_018 });
  const { container } = render(
    <CampaignOverview
      place={{ team: "north", campaign: "lakes" }}
      initial={{ version: "1", pageVersion: "", progress, work }}
      teamName="North"
      requests={0}
      failedCharts={[]}
      canEnter={false}
      canEdit={false}
    />,
  );
  const parts = screen
    .getAllByRole("region")
    .map((region) => region.getAttribute("aria-label") ?? region.querySelector("h2")?.textContent);
  expect(parts.slice(0, 5)).toEqual([
    "Progress",
    "Will it qualify?",
    "Needs attention",
    "Total valid signatures",
    "Numbers",
  ]);
  const link = screen.getByRole("link", { name: "18 not entered yet" });
  expect(container.querySelector(link.getAttribute("href") ?? "")?.textContent).toMatch(
    /Closed sheets with missing lines.*Sheet 406.*2 of 20/,
  );
});

test("an archived campaign shows what was reached, and nothing about the future", () => {
  const county = { county: "King", target: 1_500, entered: 400, accepted: 300, last7Days: 70 };
  const progress = campaignCounts(steady(30, 100), {
    goal: 5_000,
    endsOn: "2026-12-22",
    archivedAt: "2026-11-20T12:00:00Z",
    counties: [county],
    official: { required: 5_000, margin: 10, rejection: 5, ...fullCount },
  });
  const { container } = render(
    <CampaignOverview
      place={{ team: "north", campaign: "lakes" }}
      initial={{ version: "1", pageVersion: "", progress, work: null }}
      teamName="North"
      requests={0}
      failedCharts={[]}
      canEnter
      canEdit
    />,
  );
  expect(screen.getByText("Archived, 2,000 short of its goal")).toBeDefined();
  expect(screen.getByRole("row", { name: /^King.*300 1,500 1,200$/ })).toBeDefined();
  expect(container.textContent).not.toMatch(
    /likely|days? left|per day|a day|pace|At risk|expected|yet|Change targets|will/i,
  );
});

test.each([
  [5_000, null],
  [9_000, "The goal of 9,000 is too low. You need 9,900 valid signatures with a 10% margin. Change the goal"],
])("says at the verdict that the goal of %d is less than the official check needs", (goal, text) => {
  const official = { required: goal === 5_000 ? 4_000 : 9_000, margin: 10, rejection: 0, ...fullCount };
  const progress = campaignCounts(steady(30, 100), { goal, endsOn: "2026-12-22", official });
  render(
    <CampaignOverview
      place={{ team: "north", campaign: "lakes" }}
      initial={{ version: "1", pageVersion: "", progress, work: null }}
      teamName="North"
      requests={0}
      failedCharts={[]}
      canEnter
      canEdit
    />,
  );
  const link = screen.queryByRole("link", { name: "Change the goal" });
  expect(link?.parentElement?.textContent ?? null).toBe(text);
  expect(link?.getAttribute("href") ?? null).toBe(text && "/north/campaign/lakes/settings#official-check");
});
