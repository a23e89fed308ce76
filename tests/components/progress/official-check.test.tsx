import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { OfficialCheckHint } from "@/components/progress/overview/official-check";
import type { CampaignProgress } from "@/lib/progress/responses";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";

const thresholds = { samplePercent: null, sampleMinimum: null, passPercent: null, failPercent: null };
const official = { required: 400, margin: 0, rejection: 0, method: "full" as const, ...thresholds };
const place = { team: "north", campaign: "rents" };
const show = (facts: Partial<CampaignProgress>) =>
  render(<OfficialCheckHint place={place} progress={campaignCounts(steady(5, 10), { goal: 500, ...facts })} />);

test("the overview leads to the official check until it is set", () => {
  show({});
  expect(screen.getByRole("link", { name: "Enter how the office checks" }).getAttribute("href")).toBe(
    "/north/campaign/rents/settings",
  );
});

test.each([{ official }, { collected: 0 }, { goal: null }, { archivedAt: "2026-11-03T12:00:00Z" }])(
  "but not with %o",
  (facts) => {
    expect(show(facts).container.textContent).toBe("");
  },
);
