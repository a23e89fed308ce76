import { render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { CampaignOverview } from "@/components/progress/campaign-overview";
import { campaignCounts } from "../../support/campaign-counts.ts";

vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh: () => undefined }) }));
beforeEach(() => void vi.stubGlobal("fetch", () => new Promise(() => undefined)));

test.each<[goal: number | null, step: string]>([
  [null, "Set a goal and a last day, and check the lines per sheet and the official check."],
  [500, "Check the settings, such as the lines per sheet and the official check."],
])("before the first line, the first step comes before what needs attention, with the goal %s", (goal, step) => {
  render(
    <CampaignOverview
      place={{ team: "north", campaign: "lakes" }}
      initial={{ version: "1", around: "", progress: campaignCounts([], { goal, endsOn: "2026-12-22" }), work: null }}
      teamName="North"
      requests={1}
      failedCharts={[]}
      canEnter
      canEdit
    />,
  );
  expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual([
    "Valid signatures",
    "Will it qualify?",
    "Enter the first sheet",
    "Needs attention",
  ]);
  expect(screen.getAllByRole("listitem")[0]?.textContent).toBe(step);
});
